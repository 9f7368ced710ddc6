extension TestStore where LocalState: Equatable {
    /// Takes the steps one after the other. A step that fails does not keep the next from being taken. At the end nothing
    /// may be waiting, and no effect running.
    public func assert(_ steps: Step..., file: StaticString = #fileID, line: UInt = #line) {
        assert(steps, file: file, line: line)
    }

    /// Takes the steps one after the other. A step that fails does not keep the next from being taken. At the end nothing
    /// may be waiting, and no effect running.
    public func assert(_ steps: [Step], file: StaticString = #fileID, line: UInt = #line) {
        for step in steps { take(step) }
        completed(file: file, line: line)
    }

    private func take(_ step: Step) {
        let (file, line) = (step.file, step.line)
        switch step.kind {
        case .send(let action, let update): send(action, update, file: file, line: line)
        case .receive(let action, let update): receive(action, update, file: file, line: line)
        case .environment(let work):
            failOnWaiting("before this work", file: file, line: line)
            work(&core.environment)
        case .do(let work):
            failOnWaiting("before this work", file: file, line: line)
            work()
        case .sequence(let steps): for step in steps { take(step) }
        }
    }

    /// One step of a test.
    public struct Step {
        enum Kind {
            case send(LocalAction, (inout LocalState) throws -> Void)
            case receive(Action, (inout LocalState) throws -> Void)
            case environment((inout Environment) -> Void)
            case `do`(() -> Void)
            case sequence([Step])
        }

        let kind: Kind
        let file: StaticString
        let line: UInt

        /// An action is sent, and changes the state like this.
        public static func send(
            _ action: LocalAction, file: StaticString = #fileID, line: UInt = #line,
            _ update: @escaping (inout LocalState) throws -> Void = { _ in }
        ) -> Step {
            Step(kind: .send(action, update), file: file, line: line)
        }

        /// This action of an effect is the next one that is received, and changes the state like this.
        public static func receive(
            _ action: Action, file: StaticString = #fileID, line: UInt = #line,
            _ update: @escaping (inout LocalState) throws -> Void = { _ in }
        ) -> Step {
            Step(kind: .receive(action, update), file: file, line: line)
        }

        /// What the reducer depends on changes.
        public static func environment(
            file: StaticString = #fileID, line: UInt = #line, _ update: @escaping (inout Environment) -> Void
        ) -> Step {
            Step(kind: .environment(update), file: file, line: line)
        }

        /// Something happens outside: a scheduler's clock moves, a subject sends.
        public static func `do`(
            file: StaticString = #fileID, line: UInt = #line, _ work: @escaping () -> Void
        ) -> Step {
            Step(kind: .do(work), file: file, line: line)
        }

        /// Steps as one.
        public static func sequence(
            _ steps: Step..., file: StaticString = #fileID, line: UInt = #line
        ) -> Step {
            Step(kind: .sequence(steps), file: file, line: line)
        }
    }
}

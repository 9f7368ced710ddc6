extension TestStore where LocalState: Equatable, Action: Equatable {
    /// Runs steps in order. A failing step does not stop the steps after it. At the end, no received action may be left
    /// and no effect may be running.
    public func assert(_ steps: Step..., file: StaticString = #fileID, line: UInt = #line) {
        assert(steps, file: file, line: line)
    }

    /// Runs steps in order. A failing step does not stop the steps after it. At the end, no received action may be left
    /// and no effect may be running.
    public func assert(_ steps: [Step], file: StaticString = #fileID, line: UInt = #line) {
        for step in steps { run(step) }
        completed(file: file, line: line)
    }

    private func run(_ step: Step) {
        let (file, line) = (step.file, step.line)
        switch step.kind {
        case .send(let action, let update): send(action, update, file: file, line: line)
        case .receive(let action, let update): receive(action, update, file: file, line: line)
        case .environment(let work):
            reportUnreceivedActions("before this work", file: file, line: line)
            work(&core.environment)
        case .do(let work):
            reportUnreceivedActions("before this work", file: file, line: line)
            work()
        case .sequence(let steps): for step in steps { run(step) }
        }
    }

    /// A step of a test.
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

        /// Sends an action and checks that it changes the state as `update` does.
        public static func send(
            _ action: LocalAction, file: StaticString = #fileID, line: UInt = #line,
            _ update: @escaping (inout LocalState) throws -> Void = { _ in }
        ) -> Step {
            Step(kind: .send(action, update), file: file, line: line)
        }

        /// Receives the next action of an effect, and checks that it equals `action` and changes the state as `update`
        /// does.
        public static func receive(
            _ action: Action, file: StaticString = #fileID, line: UInt = #line,
            _ update: @escaping (inout LocalState) throws -> Void = { _ in }
        ) -> Step {
            Step(kind: .receive(action, update), file: file, line: line)
        }

        /// Changes the environment of the reducer.
        public static func environment(
            file: StaticString = #fileID, line: UInt = #line, _ update: @escaping (inout Environment) -> Void
        ) -> Step {
            Step(kind: .environment(update), file: file, line: line)
        }

        /// Runs code outside the feature, such as advancing a scheduler or sending to a subject.
        public static func `do`(
            file: StaticString = #fileID, line: UInt = #line, _ work: @escaping () -> Void
        ) -> Step {
            Step(kind: .do(work), file: file, line: line)
        }

        /// Groups steps.
        public static func sequence(
            _ steps: Step..., file: StaticString = #fileID, line: UInt = #line
        ) -> Step {
            Step(kind: .sequence(steps), file: file, line: line)
        }
    }
}

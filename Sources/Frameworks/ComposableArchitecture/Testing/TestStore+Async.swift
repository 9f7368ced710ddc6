public import CasePaths

extension TestStore where LocalState: Equatable {
    /// Sends an action, checks that it changes the state as `update` does, and lets its tasks run until they wait for something.
    ///
    /// - Returns: The effects that the action started.
    @discardableResult
    nonisolated(nonsending) public func send(
        _ action: LocalAction, _ update: ((inout LocalState) throws -> Void)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) async -> TestStoreTask {
        // Before the effects start: one may send an action at once.
        core.actionQueue.beginStep(on: #isolation)
        defer { core.actionQueue.endStep() }
        let task = sendNow(action, update, file: file, line: line)
        await settle()
        return task
    }

    /// Waits for an action of an effect, checks that it equals `expected`, and that it changes the state as `update`
    /// does.
    nonisolated(nonsending) public func receive(
        _ expected: Action, timeout: Duration? = nil, _ update: ((inout LocalState) throws -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) async where Action: Equatable {
        core.actionQueue.beginStep(on: #isolation)
        defer { core.actionQueue.endStep() }
        await waitForAction(timeout) { $0 == expected }
        receiveNow(expected, update, file: file, line: line)
        await settle()
    }

    /// Waits for an action of an effect, checks that it satisfies a predicate, and that it changes the state as `update` does.
    @_disfavoredOverload
    nonisolated(nonsending) public func receive(
        _ isMatching: (Action) -> Bool, timeout: Duration? = nil,
        _ update: ((inout LocalState) throws -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async {
        core.actionQueue.beginStep(on: #isolation)
        defer { core.actionQueue.endStep() }
        await waitForAction(timeout, isMatching)
        receiveNow(isMatching, update, file: file, line: line)
        await settle()
    }

    /// Waits for an action of an effect, checks that it is in the case `casePath`, and that it changes the state as
    /// `update` does.
    nonisolated(nonsending) public func receive<Value>(
        _ casePath: CasePath<Action, Value>, timeout: Duration? = nil,
        _ update: ((inout LocalState) throws -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async {
        core.actionQueue.beginStep(on: #isolation)
        defer { core.actionQueue.endStep() }
        await waitForAction(timeout) { casePath.extract(from: $0) != nil }
        receiveNow(casePath, update, file: file, line: line)
        await settle()
    }

    /// Waits until tasks of effects have ended or wait for something.
    nonisolated(nonsending) private func settle() async {
        await core.actionQueue.settle(within: timeout)
        // What runs on the main actor or in a task of its own has a few turns to end. Without this, a test that ends here would
        // report a running effect. Bounded, because an effect may run on purpose.
        for _ in 0..<20 where !core.runningEffects.isEmpty {
            await Task.yield()
            core.actionQueue.runAll()
        }
        core.endDismissedEffects()
    }

    // `send` and `receive` have synchronous and asynchronous overloads; an asynchronous function would call itself.
    private func sendNow(
        _ action: LocalAction, _ update: ((inout LocalState) throws -> Void)?, file: StaticString, line: UInt
    ) -> TestStoreTask {
        checkingFirst { send(action, update, file: file, line: line) }
    }

    private func receiveNow(
        _ expected: Action, _ update: ((inout LocalState) throws -> Void)?, file: StaticString, line: UInt
    ) where Action: Equatable {
        checkingFirst { receive(expected, update, file: file, line: line) }
    }

    private func receiveNow(
        _ isMatching: (Action) -> Bool, _ update: ((inout LocalState) throws -> Void)?, file: StaticString, line: UInt
    ) {
        checkingFirst { receive(isMatching, update, file: file, line: line) }
    }

    private func receiveNow<Value>(
        _ casePath: CasePath<Action, Value>, _ update: ((inout LocalState) throws -> Void)?, file: StaticString,
        line: UInt
    ) {
        checkingFirst { receive(casePath, update, file: file, line: line) }
    }

    /// Performs a step before the tasks of its effects run, which may change shared values.
    private func checkingFirst<Value>(_ step: () -> Value) -> Value { core.actionQueue.executor.pausing(step) }

    /// Waits until an action has been received, while there are running effects that could send one. In a
    /// non-exhaustive test, waits until a matching action has been received.
    nonisolated(nonsending) private func waitForAction(
        _ timeout: Duration?, _ isMatching: (Action) -> Bool
    ) async {
        let core = core
        let isExhaustive = exhaustivity == .on
        // Effects that the test has skipped run on, and may be about to send an action.
        if core.runningEffects.isEmpty, core.received.isEmpty {
            await core.actionQueue.settle(within: timeout ?? self.timeout)
        }
        await core.actionQueue.run(
            until: {
                if core.runningEffects.isEmpty { return true }
                return isExhaustive
                    ? !core.received.isEmpty : core.received.contains { isMatching($0.action) }
            }, timeout: timeout ?? self.timeout)
    }
}

extension TestStore {
    /// Waits until all effects have ended, and checks that no received action is left.
    nonisolated(nonsending) public func finish(
        timeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async {
        let core = core
        core.actionQueue.beginStep(on: #isolation)
        defer { core.actionQueue.endStep() }
        await core.actionQueue.run(
            until: {
                core.endDismissedEffects()
                return core.runningEffects.isEmpty
            }, timeout: timeout ?? self.timeout)
        completed(file: file, line: line)
    }

    /// Runs `operation` with another exhaustivity.
    @discardableResult
    public func withExhaustivity<Result>(_ exhaustivity: Exhaustivity, operation: () throws -> Result) rethrows
        -> Result
    {
        let former = self.exhaustivity
        defer { self.exhaustivity = former }
        self.exhaustivity = exhaustivity
        return try operation()
    }

    /// Runs `operation` with another exhaustivity.
    @discardableResult
    nonisolated(nonsending) public func withExhaustivity<Result>(
        _ exhaustivity: Exhaustivity, operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        let former = self.exhaustivity
        defer { self.exhaustivity = former }
        self.exhaustivity = exhaustivity
        return try await operation()
    }
}

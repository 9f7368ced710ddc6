public import CasePaths

extension TestStore where LocalState: Equatable {
    /// Sends an action, which changes the state as `update` says, and lets its tasks begin.
    ///
    /// - Returns: The effects that it started.
    @discardableResult
    nonisolated(nonsending) public func send(
        _ action: LocalAction, _ update: ((inout LocalState) throws -> Void)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) async -> TestStoreTask {
        let task = sendNow(action, update, file: file, line: line)
        await Task.yield()
        return task
    }

    /// Waits for the next action of an effect, which is this one, and changes the state as `update` says.
    nonisolated(nonsending) public func receive(
        _ expected: Action, timeout: Duration? = nil, _ update: ((inout LocalState) throws -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) async {
        await waitForAction(timeout) { $0 == expected }
        receiveNow(expected, update, file: file, line: line)
        await settle()
    }

    /// Waits for the next action of an effect, which is in this case, and changes the state as `update` says.
    nonisolated(nonsending) public func receive<Value>(
        _ casePath: CasePath<Action, Value>, timeout: Duration? = nil,
        _ update: ((inout LocalState) throws -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async {
        await waitForAction(timeout) { casePath.extract(from: $0) != nil }
        receiveNow(casePath, update, file: file, line: line)
        await settle()
    }

    /// Lets tasks that have sent their last action come to their end.
    nonisolated(nonsending) private func settle() async {
        for _ in 0..<20 where !core.runningEffects.isEmpty {
            await Task.yield()
            core.inbox.runAll()
        }
    }

    private func sendNow(
        _ action: LocalAction, _ update: ((inout LocalState) throws -> Void)?, file: StaticString, line: UInt
    ) -> TestStoreTask {
        send(action, update, file: file, line: line)
    }

    private func receiveNow(
        _ expected: Action, _ update: ((inout LocalState) throws -> Void)?, file: StaticString, line: UInt
    ) {
        receive(expected, update, file: file, line: line)
    }

    private func receiveNow<Value>(
        _ casePath: CasePath<Action, Value>, _ update: ((inout LocalState) throws -> Void)?, file: StaticString,
        line: UInt
    ) {
        receive(casePath, update, file: file, line: line)
    }

    /// Waits until an action has been received, as long as there are effects that might send one; in a test that is not
    /// exhaustive, until the right one has.
    nonisolated(nonsending) private func waitForAction(
        _ timeout: Duration?, _ isMatching: (Action) -> Bool
    ) async {
        let core = core
        let isExhaustive = exhaustivity == .on
        await core.inbox.run(
            until: {
                if core.runningEffects.isEmpty { return true }
                return isExhaustive
                    ? !core.received.isEmpty : core.received.contains { isMatching($0.action) }
            }, timeout: timeout ?? self.timeout)
    }
}

extension TestStore {
    /// Waits until all effects are over, and checks that nothing is waiting then.
    nonisolated(nonsending) public func finish(
        timeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async {
        let core = core
        await core.inbox.run(until: { core.runningEffects.isEmpty }, timeout: timeout ?? self.timeout)
        completed(file: file, line: line)
    }
}

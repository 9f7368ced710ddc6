public import CasePaths

// The spelling of current versions, in which the closure has a label. Trailing closures prefer the forms without one, which exist in
// all versions.

extension TestStore where LocalState: Equatable {
    /// Sends an action, checks that it changes the state as `update` does, and lets its tasks run until they wait for something.
    ///
    /// - Returns: The effects that the action started.
    @_disfavoredOverload
    @discardableResult
    nonisolated(nonsending) public func send(
        _ action: LocalAction, assert update: ((inout LocalState) throws -> Void)?, file: StaticString = #fileID,
        line: UInt = #line
    ) async -> TestStoreTask {
        await send(action, update, file: file, line: line)
    }

    /// Sends an action without a value that a key path names: `await store.send(\.refresh, assert: { … })`.
    ///
    /// - Returns: The effects that the action started.
    @_disfavoredOverload
    @discardableResult
    nonisolated(nonsending) public func send(
        _ action: CaseKeyPath<LocalAction, Void>, assert update: ((inout LocalState) throws -> Void)?,
        file: StaticString = #fileID, line: UInt = #line
    ) async -> TestStoreTask where LocalAction: CasePathable {
        await send(action, update, file: file, line: line)
    }

    /// Sends an action that a key path names, with its value.
    ///
    /// - Returns: The effects that the action started.
    @_disfavoredOverload
    @discardableResult
    nonisolated(nonsending) public func send<Value>(
        _ action: CaseKeyPath<LocalAction, Value>, _ value: Value,
        assert update: ((inout LocalState) throws -> Void)?, file: StaticString = #fileID, line: UInt = #line
    ) async -> TestStoreTask where LocalAction: CasePathable {
        await send(action, value, update, file: file, line: line)
    }

    /// Waits for an action of an effect, checks that it equals `expected`, and that it changes the state as `update` does.
    @_disfavoredOverload
    nonisolated(nonsending) public func receive(
        _ expected: Action, timeout: Duration? = nil, assert update: ((inout LocalState) throws -> Void)?,
        file: StaticString = #fileID, line: UInt = #line
    ) async where Action: Equatable {
        await receive(expected, timeout: timeout, update, file: file, line: line)
    }

    /// Waits for an action of an effect, checks that it satisfies a predicate, and that it changes the state as `update` does.
    @_disfavoredOverload
    nonisolated(nonsending) public func receive(
        _ isMatching: (Action) -> Bool, timeout: Duration? = nil,
        assert update: ((inout LocalState) throws -> Void)?, file: StaticString = #fileID, line: UInt = #line
    ) async {
        await receive(isMatching, timeout: timeout, update, file: file, line: line)
    }

    /// Waits for an action of an effect, checks that it is in the case `casePath`, and that it changes the state as `update` does.
    @_disfavoredOverload
    nonisolated(nonsending) public func receive<Value>(
        _ casePath: CasePath<Action, Value>, timeout: Duration? = nil,
        assert update: ((inout LocalState) throws -> Void)?, file: StaticString = #fileID, line: UInt = #line
    ) async {
        await receive(casePath, timeout: timeout, update, file: file, line: line)
    }

    /// Waits for an action of an effect, checks that it is in the case that a key path names, and that it changes the state as
    /// `update` does.
    @_disfavoredOverload
    nonisolated(nonsending) public func receive<Value>(
        _ action: CaseKeyPath<Action, Value>, timeout: Duration? = nil,
        assert update: ((inout LocalState) throws -> Void)?, file: StaticString = #fileID, line: UInt = #line
    ) async where Action: CasePathable {
        await receive(action, timeout: timeout, update, file: file, line: line)
    }

    /// Waits for an action of an effect, checks that it is in the case that a key path names and has a value, and that it changes the
    /// state as `update` does.
    @_disfavoredOverload
    nonisolated(nonsending) public func receive<Value: Equatable>(
        _ action: CaseKeyPath<Action, Value>, _ value: Value, timeout: Duration? = nil,
        assert update: ((inout LocalState) throws -> Void)?, file: StaticString = #fileID, line: UInt = #line
    ) async where Action: CasePathable {
        await receive(action, value, timeout: timeout, update, file: file, line: line)
    }
}

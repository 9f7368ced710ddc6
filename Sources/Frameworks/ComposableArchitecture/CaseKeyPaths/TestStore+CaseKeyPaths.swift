public import CasePaths

extension TestStore where LocalState: Equatable {
    /// Sends an action without a value that a key path names: `await store.send(\.refresh)`.
    @discardableResult
    nonisolated(nonsending) public func send(
        _ action: CaseKeyPath<LocalAction, Void>, _ update: ((inout LocalState) throws -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) async -> TestStoreTask where LocalAction: CasePathable {
        await send(AnyCasePath(action).embed(()), update, file: file, line: line)
    }

    /// Sends an action that a key path names, with its value: `await store.send(\.rows[id: 1].rename, "a")`.
    @discardableResult
    nonisolated(nonsending) public func send<Value>(
        _ action: CaseKeyPath<LocalAction, Value>, _ value: Value,
        _ update: ((inout LocalState) throws -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async -> TestStoreTask where LocalAction: CasePathable {
        await send(AnyCasePath(action).embed(value), update, file: file, line: line)
    }

    /// Waits for an action of an effect, checks that it is in the case that a key path names, and that it changes the state
    /// as `update` does.
    nonisolated(nonsending) public func receive<Value>(
        _ action: CaseKeyPath<Action, Value>, timeout: Duration? = nil,
        _ update: ((inout LocalState) throws -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async where Action: CasePathable {
        await receive(AnyCasePath(action), timeout: timeout, update, file: file, line: line)
    }

    /// Waits for an action of an effect, checks that it is in the case that a key path names and has a value, and that it
    /// changes the state as `update` does.
    nonisolated(nonsending) public func receive<Value: Equatable>(
        _ action: CaseKeyPath<Action, Value>, _ value: Value, timeout: Duration? = nil,
        _ update: ((inout LocalState) throws -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async where Action: CasePathable {
        let path = AnyCasePath(action)
        await receive({ path.extract(from: $0) == value }, timeout: timeout, update, file: file, line: line)
    }
}

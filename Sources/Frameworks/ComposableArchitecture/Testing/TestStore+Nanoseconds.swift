public import CasePaths

// The forms that take a timeout as a number. A literal without a unit is one.

extension TestStoreTask {
    /// Waits until the effects have ended. Fails the test on timeout.
    ///
    /// - Parameters:
    ///   - nanoseconds: The longest time to wait.
    ///   - file: The file of the step.
    ///   - line: The line of the step.
    nonisolated(nonsending) public func finish(
        timeout nanoseconds: UInt64, file: StaticString = #fileID, line: UInt = #line
    ) async {
        await finish(timeout: Duration(nanoseconds: nanoseconds), file: file, line: line)
    }
}

extension TestStore {
    /// Waits until all effects have ended, and checks that no received action is left.
    ///
    /// - Parameters:
    ///   - nanoseconds: The longest time to wait.
    ///   - file: The file of the step.
    ///   - line: The line of the step.
    nonisolated(nonsending) public func finish(
        timeout nanoseconds: UInt64, file: StaticString = #fileID, line: UInt = #line
    ) async {
        await finish(timeout: Duration(nanoseconds: nanoseconds), file: file, line: line)
    }
}

extension TestStore where LocalState: Equatable {
    /// Waits for an action of an effect, checks that it equals `expected`, and that it changes the state as `update` does.
    nonisolated(nonsending) public func receive(
        _ expected: Action, timeout nanoseconds: UInt64, assert update: ((inout LocalState) throws -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) async where Action: Equatable {
        await receive(expected, timeout: Duration(nanoseconds: nanoseconds), update, file: file, line: line)
    }

    /// Waits for an action of an effect, checks that it satisfies a predicate, and that it changes the state as `update` does.
    @_disfavoredOverload
    nonisolated(nonsending) public func receive(
        _ isMatching: (Action) -> Bool, timeout nanoseconds: UInt64,
        assert update: ((inout LocalState) throws -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async {
        await receive(isMatching, timeout: Duration(nanoseconds: nanoseconds), update, file: file, line: line)
    }

    /// Waits for an action of an effect, checks that it is in the case `casePath`, and that it changes the state as `update` does.
    nonisolated(nonsending) public func receive<Value>(
        _ casePath: CasePath<Action, Value>, timeout nanoseconds: UInt64,
        assert update: ((inout LocalState) throws -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async {
        await receive(casePath, timeout: Duration(nanoseconds: nanoseconds), update, file: file, line: line)
    }

    /// Waits for an action of an effect, checks that it is in the case that a key path names, and that it changes the state as
    /// `update` does.
    nonisolated(nonsending) public func receive<Value>(
        _ action: CaseKeyPath<Action, Value>, timeout nanoseconds: UInt64,
        assert update: ((inout LocalState) throws -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async where Action: CasePathable {
        await receive(action, timeout: Duration(nanoseconds: nanoseconds), update, file: file, line: line)
    }

    /// Waits for an action of an effect, checks that it is in the case that a key path names and has a value, and that it changes the
    /// state as `update` does.
    nonisolated(nonsending) public func receive<Value: Equatable>(
        _ action: CaseKeyPath<Action, Value>, _ value: Value, timeout nanoseconds: UInt64,
        assert update: ((inout LocalState) throws -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async where Action: CasePathable {
        await receive(action, value, timeout: Duration(nanoseconds: nanoseconds), update, file: file, line: line)
    }
}

extension Duration {
    fileprivate init(nanoseconds: UInt64) {
        self = .nanoseconds(Int64(clamping: nanoseconds))
    }
}

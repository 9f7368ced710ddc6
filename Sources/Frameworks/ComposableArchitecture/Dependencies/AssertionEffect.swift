/// A check of a condition that a test replaces: ``DependencyValues/assert`` and ``DependencyValues/precondition``.
public protocol AssertionEffect: Sendable {
    /// Checks a condition.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - message: What is wrong if the condition is false.
    ///   - file: The file of the check.
    ///   - line: The line of the check.
    func callAsFunction(
        _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String, file: StaticString, line: UInt)
}

extension AssertionEffect {
    /// Checks a condition.
    @_disfavoredOverload
    public func callAsFunction(
        _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String = "", file: StaticString = #fileID,
        line: UInt = #line
    ) {
        callAsFunction(condition(), message(), file: file, line: line)
    }
}

/// A failure that a test replaces: ``DependencyValues/assertionFailure``.
public protocol AssertionFailureEffect: Sendable {
    /// Handles a failure.
    ///
    /// - Parameters:
    ///   - message: What is wrong.
    ///   - file: The file of the failure.
    ///   - line: The line of the failure.
    func callAsFunction(_ message: @autoclosure () -> String, file: StaticString, line: UInt)
}

extension AssertionFailureEffect {
    /// Handles a failure.
    @_disfavoredOverload
    public func callAsFunction(
        _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line
    ) {
        callAsFunction(message(), file: file, line: line)
    }
}

/// A check of a condition by a closure.
public struct AnyAssertionEffect: AssertionEffect {
    private let check: @Sendable (@autoclosure () -> Bool, @autoclosure () -> String, StaticString, UInt) -> Void

    /// Creates a check that calls a closure with the condition, the message, the file and the line.
    public init(
        _ check:
            @escaping @Sendable (
                _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String, _ file: StaticString,
                _ line: UInt
            ) -> Void
    ) {
        self.check = check
    }

    /// Calls the closure.
    public func callAsFunction(
        _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String, file: StaticString, line: UInt
    ) {
        check(condition(), message(), file, line)
    }
}

private struct AssertionFailure: AssertionFailureEffect {
    let check: any AssertionEffect

    func callAsFunction(_ message: @autoclosure () -> String, file: StaticString, line: UInt) {
        check(false, message(), file: file, line: line)
    }
}

private let reportedCheck = AnyAssertionEffect { condition, message, file, line in
    if !condition() { Issues.report(message(), file: file, line: line) }
}

private enum AssertKey: DependencyKey {
    static var liveValue: any AssertionEffect {
        AnyAssertionEffect { Swift.assert($0(), $1(), file: $2, line: $3) }
    }

    static var testValue: any AssertionEffect { reportedCheck }
}

private enum PreconditionKey: DependencyKey {
    static var liveValue: any AssertionEffect {
        AnyAssertionEffect { Swift.precondition($0(), $1(), file: $2, line: $3) }
    }

    static var testValue: any AssertionEffect { reportedCheck }
}

extension DependencyValues {
    /// Checks a condition as `Swift.assert` does: in debug builds, a false one ends the process. In a test, it is an issue.
    public var assert: any AssertionEffect {
        get { self[AssertKey.self] }
        set { self[AssertKey.self] = newValue }
    }

    /// Fails like ``assert`` with a false condition.
    public var assertionFailure: any AssertionFailureEffect { AssertionFailure(check: assert) }

    /// Checks a condition as `Swift.precondition` does: a false one ends the process. In a test, it is an issue.
    public var precondition: any AssertionEffect {
        get { self[PreconditionKey.self] }
        set { self[PreconditionKey.self] = newValue }
    }
}

import IssueReporting

/// The error of a function that `unimplemented(_:)` has made.
public struct UnimplementedFailure: Error {
    /// The name of the function.
    public let description: String

    /// Creates the error of a function with a name.
    public init(description: String) {
        self.description = description
    }
}

/// Returns a function that reports an issue and returns a placeholder, for a client whose functions a test implements as needed. It
/// converts to an asynchronous function, as those below do.
///
/// - Parameters:
///   - description: The name of the function.
///   - placeholder: The result of the function.
///   - fileID: The file that issues are attributed to.
///   - filePath: The path of the file.
///   - function: The declaration that contains the function.
///   - line: The line that issues are attributed to.
///   - column: The column that issues are attributed to.
public func unimplemented<each Argument, Result>(
    _ description: @autoclosure @escaping @Sendable () -> String = "",
    placeholder: @autoclosure @escaping @Sendable () -> Result = (),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, function: StaticString = #function,
    line: UInt = #line, column: UInt = #column
) -> @Sendable (repeat each Argument) -> Result {
    let use = UnimplementedUse(fileID, filePath, function, line, column)
    return { (argument: repeat each Argument) in
        use.report(description(), arguments: (repeat each argument))
        return placeholder()
    }
}

/// Returns a function that reports an issue and throws ``UnimplementedFailure``, for a client whose functions a test implements as
/// needed.
///
/// - Parameters:
///   - description: The name of the function.
///   - fileID: The file that issues are attributed to.
///   - filePath: The path of the file.
///   - function: The declaration that contains the function.
///   - line: The line that issues are attributed to.
///   - column: The column that issues are attributed to.
public func unimplemented<each Argument, Result>(
    _ description: @autoclosure @escaping @Sendable () -> String = "",
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, function: StaticString = #function,
    line: UInt = #line, column: UInt = #column
) -> @Sendable (repeat each Argument) throws -> Result {
    let use = UnimplementedUse(fileID, filePath, function, line, column)
    return { (argument: repeat each Argument) in
        use.report(description(), arguments: (repeat each argument))
        throw UnimplementedFailure(description: description())
    }
}

/// Returns a function that reports an issue and throws an error, for a client whose functions a test implements as needed.
///
/// - Parameters:
///   - description: The name of the function.
///   - failure: The error of the function.
///   - fileID: The file that issues are attributed to.
///   - filePath: The path of the file.
///   - function: The declaration that contains the function.
///   - line: The line that issues are attributed to.
///   - column: The column that issues are attributed to.
public func unimplemented<each Argument, Failure: Error, Result>(
    _ description: @autoclosure @escaping @Sendable () -> String = "",
    throwing failure: @autoclosure @escaping @Sendable () -> Failure,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, function: StaticString = #function,
    line: UInt = #line, column: UInt = #column
) -> @Sendable (repeat each Argument) throws(Failure) -> Result {
    let use = UnimplementedUse(fileID, filePath, function, line, column)
    return { (argument: repeat each Argument) throws(Failure) in
        use.report(description(), arguments: (repeat each argument))
        throw failure()
    }
}

/// Reports an issue and returns a placeholder, for a value that a test sets if it is needed.
///
/// - Parameters:
///   - description: The name of the value.
///   - placeholder: The value.
///   - fileID: The file that the issue is attributed to.
///   - filePath: The path of the file.
///   - function: The declaration that contains the value.
///   - line: The line that the issue is attributed to.
///   - column: The column that the issue is attributed to.
@_disfavoredOverload
public func unimplemented<Result>(
    _ description: @autoclosure @escaping @Sendable () -> String = "",
    placeholder: @autoclosure @escaping @Sendable () -> Result = (),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, function: StaticString = #function,
    line: UInt = #line, column: UInt = #column
) -> Result {
    UnimplementedUse(fileID, filePath, function, line, column).report(description(), arguments: nil)
    return placeholder()
}

/// The declaration of a function that is not implemented.
private struct UnimplementedUse: Sendable {
    private let fileID: StaticString
    private let filePath: StaticString
    private let function: StaticString
    private let line: UInt
    private let column: UInt

    init(_ fileID: StaticString, _ filePath: StaticString, _ function: StaticString, _ line: UInt, _ column: UInt) {
        (self.fileID, self.filePath, self.function, self.line, self.column) = (fileID, filePath, function, line, column)
    }

    /// Reports a call.
    ///
    /// - Parameter arguments: The arguments of the call; nil if a value was read.
    func report(_ description: String, arguments: Any?) {
        let name = "Unimplemented" + (description.isEmpty ? "" : ": \(description)") + " …"
        let definition = "\(name)\n\n  Defined in '\(function)' at:\n    \(fileID):\(line)"
        let call = arguments.map { "\n\n  Invoked with:\n    \(String(reflecting: $0))" } ?? ""
        let place = IssuePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        // The arguments may be values of a client.
        Issues.report(
            ReportedIssue(
                FoundIssue(comment: definition + call, place: IssuePlace.chosen ?? place), summary: definition))
    }
}

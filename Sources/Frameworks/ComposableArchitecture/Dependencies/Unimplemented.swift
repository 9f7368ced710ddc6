/// The error of a function of a dependency that a test has not implemented.
public struct Unimplemented: Error, CustomStringConvertible {
    /// The name of the function.
    public let endpoint: String

    /// Creates the error of a function with a name.
    public init(_ endpoint: String) {
        self.endpoint = endpoint
    }

    /// A sentence that names the function.
    public var description: String { "the dependency's function \"\(endpoint)\" is not implemented" }
}

/// Reports that a function of a client has not been implemented. `@DependencyEndpoint` adds calls of it.
public func _$reportUnimplemented<Client>(
    _ client: Client.Type, _ endpoint: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
) {
    reportIssue(
        "called \"\(endpoint)\" of \(client), which is not implemented: override it with withDependencies, or implement it "
            + "in the client's live value", fileID: fileID, filePath: filePath, line: line, column: column)
}

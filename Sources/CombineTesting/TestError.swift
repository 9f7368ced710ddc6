/// An error that means nothing, for streams that are to fail in a test.
///
/// Errors with the same code are equal, so that a test can tell which failure came through.
public struct TestError: Error, Equatable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// What the error is known by.
    public let code: Int

    /// Makes an error that is known by `code`.
    public init(_ code: Int = 0) {
        self.code = code
    }

    /// `TestError(code)`.
    public var description: String { "TestError(\(code))" }
}

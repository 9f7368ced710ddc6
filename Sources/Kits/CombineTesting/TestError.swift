/// A placeholder error for streams that fail in a test.
///
/// Errors with the same code are equal, so that a test can identify a failure.
public struct TestError: Error, Equatable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The code that identifies the error.
    public let code: Int

    /// Creates an error with a code.
    public init(_ code: Int = 0) {
        self.code = code
    }

    /// `TestError(code)`.
    public var description: String { "TestError(\(code))" }
}

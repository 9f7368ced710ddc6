/// A request method (RFC 9110 §9): any token, case-sensitive.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    /// The token as it is sent.
    public let rawValue: String

    /// Creates a method from a token, which the parser has checked.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Requests a representation of the target.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Like `get`, but the response has no content.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Passes data to the target for processing.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces the target with a representation.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Modifies the target (RFC 5789).
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes the target.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Requests the communication options of the target.
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// Requests a tunnel; never supported.
    public static let connect = HTTPMethod(rawValue: "CONNECT")
    /// Requests a copy of the request; never supported.
    public static let trace = HTTPMethod(rawValue: "TRACE")
}

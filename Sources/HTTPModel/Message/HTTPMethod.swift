/// A request method (RFC 9110 §9): any token, compared by case.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    /// The token as it stands on the wire.
    public let rawValue: String

    /// Takes the token as it came; the parser has checked that it is one.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Asks for a representation of the target.
    public static let get = HTTPMethod(rawValue: "GET")
    /// As `get`, answered without a body.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Hands the target something to process.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Puts a representation in the target's place.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes the target in part (RFC 5789).
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes the target.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Asks what may be done with the target.
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// Asks for a tunnel; this package never offers one.
    public static let connect = HTTPMethod(rawValue: "CONNECT")
    /// Asks for the request back; never served.
    public static let trace = HTTPMethod(rawValue: "TRACE")
}

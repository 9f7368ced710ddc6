/// A request method (RFC 9110 §9): any token, case-sensitive.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    /// The token as it is sent.
    public let rawValue: String
    /// The number of a method that has a name here; 0 for others. It depends on the token only.
    // A request is compared with several methods. A comparison of numbers neither calls a function nor retains a string.
    @usableFromInline let number: UInt8

    /// Creates a method from a token, which the parser has checked.
    public init(rawValue: String) {
        self.rawValue = rawValue
        number =
            switch rawValue {
            case "GET": 1
            case "HEAD": 2
            case "POST": 3
            case "PUT": 4
            case "PATCH": 5
            case "DELETE": 6
            case "OPTIONS": 7
            case "CONNECT": 8
            case "TRACE": 9
            default: 0
            }
    }

    @inlinable
    init(_ rawValue: String, number: UInt8) {
        self.rawValue = rawValue
        self.number = number
    }

    /// Requests a representation of the target.
    @inlinable public static var get: HTTPMethod { HTTPMethod("GET", number: 1) }
    /// Like `get`, but the response has no content.
    @inlinable public static var head: HTTPMethod { HTTPMethod("HEAD", number: 2) }
    /// Passes data to the target for processing.
    @inlinable public static var post: HTTPMethod { HTTPMethod("POST", number: 3) }
    /// Replaces the target with a representation.
    @inlinable public static var put: HTTPMethod { HTTPMethod("PUT", number: 4) }
    /// Modifies the target (RFC 5789).
    @inlinable public static var patch: HTTPMethod { HTTPMethod("PATCH", number: 5) }
    /// Removes the target.
    @inlinable public static var delete: HTTPMethod { HTTPMethod("DELETE", number: 6) }
    /// Requests the communication options of the target.
    @inlinable public static var options: HTTPMethod { HTTPMethod("OPTIONS", number: 7) }
    /// Requests a tunnel; never supported.
    @inlinable public static var connect: HTTPMethod { HTTPMethod("CONNECT", number: 8) }
    /// Requests a copy of the request; never supported.
    @inlinable public static var trace: HTTPMethod { HTTPMethod("TRACE", number: 9) }

    /// Returns whether both are the same token.
    @inlinable @inline(__always)
    public static func == (left: HTTPMethod, right: HTTPMethod) -> Bool {
        left.number == right.number && (left.number != 0 || left.rawValue == right.rawValue)
    }
}

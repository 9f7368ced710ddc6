import CLinux
public import HTTPModel

/// An address to listen on and its purpose.
public struct HTTPListener: Hashable, Sendable {
    /// The place where a listener accepts connections.
    public enum Place: Hashable, Sendable {
        /// A numeric address and a port. `::` means all addresses of both families, port 0 means any free port.
        case address(host: String, port: UInt16)
        /// A socket in the file system: its path and its permissions, as for `chmod`.
        case unix(path: String, mode: UInt32 = HTTPListener.unixMode)
    }

    /// The default permissions of a Unix socket: its owner and its group may connect.
    public static let unixMode: UInt32 = 0o660

    /// The place where the listener accepts connections.
    public var place: Place
    /// Whether the listener uses TLS.
    public var isSecure: Bool
    /// The purpose of the listener.
    public var role: ListenerRole

    /// Creates a listener from its parts.
    public init(_ place: Place, isSecure: Bool = false, role: ListenerRole = .public) {
        self.place = place
        self.isSecure = isSecure
        self.role = role
    }

    /// Whether the listener is a Unix socket.
    public var isUnix: Bool { if case .unix = place { true } else { false } }

    /// Whether only processes of this machine can connect: the listener is a Unix socket or has a loopback address.
    public var isLocal: Bool {
        guard case .address(let host, _) = place else { return true }
        return NumericAddress(host)?.isLoopback == true
    }

    /// The address to connect to.
    public var address: HTTPServerAddress {
        switch place {
        case .address(let host, let port): HTTPServerAddress(host: host, port: port)
        case .unix(let path, _): HTTPServerAddress(unixSocket: path)
        }
    }
}

extension HTTPListener: CustomStringConvertible {
    /// The listener in the notation of a configuration: `http://127.0.0.1:8080`, `admin+https://[::1]:9443`,
    /// `unix:/run/granary.sock?mode=0666`, `https+unix:/run/granary.sock`.
    public var description: String {
        let role = role == .admin ? "admin+" : ""
        switch place {
        case .address: return "\(role)\(isSecure ? "https" : "http")://\(address)"
        case .unix(let path, let mode):
            let permissions = mode == HTTPListener.unixMode ? "" : "?mode=0\(String(mode, radix: 8))"
            return "\(role)\(isSecure ? "https+" : "")unix:\(path)\(permissions)"
        }
    }
}

/// The reason why a text is not a listener.
public struct HTTPListenerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The expected text: "a numeric address, …".
    public let expectation: String

    /// The expectation as the end of a sentence.
    public var description: String { "expected \(expectation)" }
}

extension HTTPListener {
    /// Creates a listener from its text.
    ///
    /// The text begins with the role, `admin+` or `public+` (the default). Then follows `http://` or `https://` with a
    /// numeric address, IPv6 in brackets, and a port; or `unix:` or `https+unix:` with an absolute path and optionally
    /// `?mode=` with the permissions.
    ///
    /// - Throws: An error that states the expected text.
    public init(_ text: String) throws(HTTPListenerError) {
        guard let colon = text.firstIndex(of: ":") else { throw HTTPListenerError.form }
        var words = text[..<colon].split(separator: "+", omittingEmptySubsequences: false)
        var role = ListenerRole.public
        if words.count > 1, let named = HTTPListener.roles[words[0]] {
            role = named
            words.removeFirst()
        }
        let rest = text[text.index(after: colon)...]
        switch words {
        case ["http"]: self.init(try HTTPListener.address(rest), role: role)
        case ["https"]: self.init(try HTTPListener.address(rest), isSecure: true, role: role)
        case ["unix"], ["http", "unix"]: self.init(try HTTPListener.path(rest), role: role)
        case ["https", "unix"]: self.init(try HTTPListener.path(rest), isSecure: true, role: role)
        default: throw HTTPListenerError.form
        }
    }

    /// Returns whether a text is a numeric IPv4 address, or a numeric IPv6 address without brackets. A server can
    /// listen on no other kind of host.
    @Sendable public static func isNumericAddress(_ text: String) -> Bool { NumericAddress(text) != nil }

    fileprivate static let pathLength = Int(GRANARY_PATH_LENGTH)

    private static let roles: [Substring: ListenerRole] = ["public": .public, "admin": .admin]

    /// Parses the text after `http:`.
    private static func address(_ text: Substring) throws(HTTPListenerError) -> Place {
        guard text.hasPrefix("//") else { throw HTTPListenerError.form }
        let authority = text.dropFirst(2)
        // The last colon: an IPv6 address contains colons itself.
        guard let colon = authority.lastIndex(of: ":"), authority.last != "]" else { throw HTTPListenerError.port }
        let digits = authority[authority.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else {
            throw HTTPListenerError.port
        }
        let name = authority[..<colon]
        let isBracketed = name.first == "[" && name.last == "]"
        let host = String(isBracketed ? name.dropFirst().dropLast() : name)
        // Without brackets, the end of an IPv6 address could not be distinguished from the port.
        guard NumericAddress(host) != nil, isBracketed == host.contains(":") else { throw HTTPListenerError.address }
        return .address(host: host, port: port)
    }

    /// Parses the text after `unix:`.
    private static func path(_ text: Substring) throws(HTTPListenerError) -> Place {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(parts[0])
        guard path.hasPrefix("/"), !path.hasSuffix("/"), !path.utf8.contains(0) else { throw HTTPListenerError.path }
        guard path.utf8.count < HTTPListener.pathLength else { throw HTTPListenerError.pathLength }
        guard parts.count == 2 else { return .unix(path: path) }
        let digits = parts[1].dropFirst("mode=".count)
        guard parts[1].hasPrefix("mode="), let mode = UInt32(digits, radix: 8), mode <= 0o777, digits.first != "+"
        else {
            throw HTTPListenerError.mode
        }
        return .unix(path: path, mode: mode)
    }
}

extension HTTPListenerError {
    fileprivate static let form = HTTPListenerError(
        expectation: "http://ADDRESS:PORT, https://ADDRESS:PORT, unix:/PATH or https+unix:/PATH, with admin+ in "
            + "front for operators only")
    fileprivate static let port = HTTPListenerError(expectation: "a port from 0 to 65535 after the address")
    fileprivate static let address = HTTPListenerError(
        expectation: "a numeric address, with IPv6 in brackets: 127.0.0.1, 0.0.0.0, [::]")
    fileprivate static let path = HTTPListenerError(expectation: "an absolute path to a file")
    fileprivate static let pathLength = HTTPListenerError(
        expectation: "a path of fewer than \(HTTPListener.pathLength) bytes")
    fileprivate static let mode = HTTPListenerError(
        expectation: "?mode= and permissions from 0 to 0777 after the path")
}

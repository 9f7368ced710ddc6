import CLinux
import Glibc
import HTTPModel
import HTTPServer

/// Checks whether a running server is ready.
///
/// Uses a plain socket, because a container's health check runs in a slim image that contains no other HTTP client.
struct HealthCheck {
    /// The host, or the path of a Unix socket.
    let host: String
    /// The port, or empty for a Unix socket.
    let port: String
    /// The path that responds with 200 if the server is ready.
    let path: String

    /// Creates a check of the server with a configuration, on this machine. It prefers a listener for operators.
    /// Returns `nil` if the server has no cleartext listener.
    init?(of configuration: Configuration) {
        let server = configuration.server
        let plain = HTTPListener(.address(host: server.host, port: server.port))
        let listeners = (server.listeners.isEmpty ? [plain] : server.listeners).filter { !$0.isSecure }
        guard let listener = listeners.first(where: { $0.role == .admin }) ?? listeners.first else { return nil }
        switch listener.place {
        case .address(let host, let port):
            let wildcards = ["0.0.0.0": "127.0.0.1", "::": "::1"]
            self.host = wildcards[host] ?? host
            self.port = String(port)
        case .unix(let path, _): (host, port) = (path, "")
        }
        path = "/health/ready"
    }

    /// Creates a check of the server at an `http://host:port/path` URL, or at a Unix socket, `unix:/path`. Returns
    /// `nil` if `url` has neither form.
    init?(url: String) {
        if url.hasPrefix("unix:/") {
            (host, port, path) = (String(url.dropFirst("unix:".count)), "", "/health/ready")
            return
        }
        guard url.hasPrefix("http://") else { return nil }
        let rest = url.dropFirst("http://".count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest.dropFirst(authority.count)
        guard let (host, port) = Self.split(authority) else { return nil }
        self.host = host
        self.port = port
        path = target.isEmpty ? "/health/ready" : String(target)
    }

    /// Requests the health status and returns the status code of the response, or `nil` if there is no response within
    /// the time limit.
    func status(within timeout: Duration = .seconds(3)) -> Int? {
        guard let socket = connected(within: timeout) else { return nil }
        defer { close(socket) }
        let request = "GET \(path) HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n\r\n"
        guard send(socket, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count else { return nil }
        return Self.status(ofHead: Self.firstBytes(of: socket))
    }

    private var authority: String {
        if port.isEmpty { return "localhost" }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// The address of the server, for messages.
    var address: String { port.isEmpty ? host : "\(host) port \(port)" }

    /// Splits `host`, `host:port`, `[address]` or `[address]:port`.
    private static func split(_ authority: Substring) -> (host: String, port: String)? {
        let host: Substring
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
        } else {
            host = authority.prefix { $0 != ":" }
        }
        let brackets = authority.first == "[" ? 2 : 0
        let tail = authority.dropFirst(host.count + brackets)
        guard !host.isEmpty else { return nil }
        if tail.isEmpty { return (String(host), "80") }
        guard tail.first == ":", let port = UInt16(tail.dropFirst()) else { return nil }
        return (String(host), String(port))
    }

    private func connected(within timeout: Duration) -> Int32? {
        if port.isEmpty {
            let descriptor = granary_connect_unix(host)
            guard descriptor >= 0 else { return nil }
            Self.limit(descriptor, timeout)
            return descriptor
        }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, port, &hints, &list) == 0 else { return nil }
        defer { freeaddrinfo(list) }
        var next = list
        while let address = next?.pointee {
            if let socket = Self.connected(to: address, within: timeout) { return socket }
            next = address.ai_next
        }
        return nil
    }

    private static func connected(to address: addrinfo, within timeout: Duration) -> Int32? {
        let descriptor = socket(address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        limit(descriptor, timeout)
        guard connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func limit(_ descriptor: Int32, _ timeout: Duration) {
        let (seconds, attoseconds) = timeout.components
        granary_limit_waiting(descriptor, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    /// Returns at least the beginning of the status line, unless the peer closes the connection first.
    private static func firstBytes(of socket: Int32) -> [UInt8] {
        var head: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 512)
        // The status line may arrive in several pieces.
        while head.count < 12 {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            head += buffer[..<count]
        }
        return head
    }

    /// Returns the status code of a status line such as `HTTP/1.1 200 OK`.
    static func status(ofHead head: [UInt8]) -> Int? {
        let text = String(decoding: head.prefix(12), as: UTF8.self)
        guard text.hasPrefix("HTTP/1."), text.count == 12 else { return nil }
        return Int(text.suffix(3))
    }
}

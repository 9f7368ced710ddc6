import CLinux
import Glibc
import HTTPModel
import HTTPServer

/// Asks a running server whether it is ready, with nothing but a socket: what a container's health check runs, since a
/// slim image has no other client in it.
struct HealthCheck {
    /// The host to connect to, or the path of a Unix socket.
    let host: String
    /// The port to connect to; empty for a Unix socket, which has none.
    let port: String
    /// The path that answers 200 when the server is ready.
    let path: String

    /// The health of the server of this configuration, asked for on this machine, on a listener for operators if there is
    /// one; nil if it answers nowhere in cleartext.
    init?(of configuration: Configuration) {
        let http = configuration.http
        let plain = HTTPListener(.address(host: http.host, port: UInt16(http.port)))
        let listeners = (http.listeners.isEmpty ? [plain] : http.listeners).filter { !$0.isSecure }
        guard let asked = listeners.first(where: { $0.role == .admin }) ?? listeners.first else { return nil }
        switch asked.place {
        case .address(let host, let port):
            let wildcards = ["0.0.0.0": "127.0.0.1", "::": "::1"]
            self.host = wildcards[host] ?? host
            self.port = String(port)
        case .unix(let path, _): (host, port) = (path, "")
        }
        path = "/health/ready"
    }

    /// The health of the server at a plain `http://host:port/path`, or at a Unix socket, `unix:/path`; nil if that is not
    /// what `url` is.
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

    /// The status of the answer; nil if there was none within the time limit.
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

    /// Whom it asks, for people.
    var addressee: String { port.isEmpty ? host : "\(host) port \(port)" }

    /// `host`, `host:port`, `[address]` or `[address]:port`.
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
        var limit = timeval(
            tv_sec: Int(timeout.components.seconds),
            tv_usec: Int(timeout.components.attoseconds / 1_000_000_000_000))
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    /// At least the status line, unless the peer stops before.
    private static func firstBytes(of socket: Int32) -> [UInt8] {
        var head: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 512)
        while head.count < 12 {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            head += buffer[..<count]
        }
        return head
    }

    /// The three digits of `HTTP/1.1 200 OK`.
    static func status(ofHead head: [UInt8]) -> Int? {
        let text = String(decoding: head.prefix(12), as: UTF8.self)
        guard text.hasPrefix("HTTP/1."), text.count == 12 else { return nil }
        return Int(text.suffix(3))
    }
}

import Glibc
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Log
import TLS
import Testing

@Suite struct ListeningTests {
    private let folder: SocketFolder

    init() throws {
        folder = try SocketFolder()
    }

    private func server(
        _ listeners: [String], _ configure: (inout HTTPServerConfiguration) -> Void = { _ in }
    ) throws -> HTTPTestServer {
        let listeners = try listeners.map { try HTTPListener($0) }
        return try HTTPTestServer(
            configure: { configuration in
                configuration.listeners = listeners
                configure(&configuration)
            },
            respond: { request, _ in
                let text = "\(request.peer.role) \(request.peer.address) \(request.scheme)"
                return .response(HTTPResponse(status: .ok, body: .bytes(Array(text.utf8))))
            })
    }

    private func tls() throws -> HTTPServerTLS {
        let source = try TLSContextSource(TLSConfiguration(identities: [try .selfSigned()]))
        return HTTPServerTLS(source: source, port: 0)
    }

    private func answer(_ client: HTTPTestClient, host: String = "h") throws -> HTTPTestResponse {
        try client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        return try client.receiveResponse()
    }

    @Test func `a request has the role of its listener, whatever protocol that uses`() async throws {
        let tls = try tls()
        let server = try server([
            "http://127.0.0.1:0", "admin+http://127.0.0.1:0", "https://127.0.0.1:0", "admin+https://[::1]:0",
            "unix:\(folder("a"))", "admin+unix:\(folder("b"))", "https+unix:\(folder("c"))",
        ]) { $0.tls = tls }
        let texts = try server.listeners.map { try answer(try server.connect(to: $0)).text }
        #expect(
            texts == [
                "public 127.0.0.1 http", "admin 127.0.0.1 http", "public 127.0.0.1 https", "admin ::1 https",
                "public unix http", "admin unix http", "public unix https",
            ])
        #expect(!server.listeners.contains { $0.address.port == 0 && !$0.isUnix })
        await server.shutdown()
        #expect(folder.names == [])
    }

    @Test func `without a list of listeners there is one port, and one for TLS`() async throws {
        let tls = try tls()
        let server = try HTTPTestServer(
            configure: { $0.tls = tls }, respond: { _, _ in .response(HTTPResponse(status: .ok)) })
        #expect(server.listeners.map(\.isSecure) == [false, true])
        #expect(server.listeners.map(\.address.port) == [server.port, server.securePort])
        await server.shutdown()
    }

    @Test func `a Unix socket has its configured permissions, whatever the umask is`() async throws {
        let server = try server(["unix:\(folder("a"))", "unix:\(folder("b"))?mode=0777"])
        #expect(folder.mode("a") == 0o660)
        #expect(folder.mode("b") == 0o777)
        await server.shutdown()
    }

    @Test func `an abandoned socket is replaced, a socket in use is not`() async throws {
        let listener = "unix:\(folder("a"))"
        try abandonSocket(at: folder("a"))
        #expect(throws: HTTPTestError.self) { try HTTPTestClient(unixSocket: folder("a")) }
        let first = try server([listener])
        let error = #expect(throws: HTTPServerError.self) { try server([listener]) }
        #expect(error?.reason == .addressInUse)
        #expect(error?.description.contains(folder("a")) == true)
        #expect(try answer(try HTTPTestClient(unixSocket: folder("a"))).status == 200)
        await first.shutdown()
        #expect(folder.names == [])
    }

    @Test func `a file that is not a socket is not replaced`() throws {
        let path = folder("a")
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        let error = #expect(throws: HTTPServerError.self) { try server(["unix:\(path)"]) }
        #expect(error?.reason == .addressInvalid)
        #expect(folder.names == ["a"])
    }

    @Test func `a server does not remove a socket that has replaced its own`() async throws {
        let first = try server(["unix:\(folder("a"))"])
        unlink(folder("a"))
        let second = try server(["unix:\(folder("a"))"])
        await first.shutdown()
        #expect(try answer(try HTTPTestClient(unixSocket: folder("a"))).status == 200)
        await second.shutdown()
    }

    @Test func `opened listeners are closed if one of them fails`() async throws {
        let other = try server(["http://127.0.0.1:0"])
        let taken = try #require(other.listeners.first)
        #expect(throws: HTTPServerError.self) { try server(["unix:\(folder("a"))", "\(taken)"]) }
        #expect(folder.names == [])
        await other.shutdown()
    }

    @Test func `a TLS listener without a certificate is rejected`() throws {
        let error = #expect(throws: HTTPServerError.self) { try server(["https://127.0.0.1:0"]) }
        #expect(error?.reason == .certificateMissing)
    }

    @Test func `IPv4 and IPv6 listeners can use the same port`() async throws {
        // Held while the server uses it: without that, a client of another test could get the port before the server.
        let held = try HTTPTestHeldPort()
        let port = held.number
        let server = try server(["http://0.0.0.0:\(port)", "admin+http://[::]:\(port)"])
        #expect(try answer(try HTTPTestClient(port: port)).text == "public 127.0.0.1 http")
        #expect(try answer(try HTTPTestClient(port: port, host: "::1")).text == "admin ::1 http")
        await server.shutdown()
        withExtendedLifetime(held) {}
    }

    @Test func `clients of a Unix socket are not limited as one client`() async throws {
        let server = try server(["unix:\(folder("a"))", "http://127.0.0.1:0"]) { $0.connectionsPerClient = 1 }
        let local = try (0..<3).map { _ in try server.connect(to: server.listeners[0]) }
        for client in local { #expect(try answer(client).status == 200) }
        let remote = try server.connect(to: server.listeners[1])
        #expect(try answer(remote).status == 200)
        #expect(try server.connect(to: server.listeners[1]).receiveResponse().status == 429)
        await server.shutdown()
    }

    @Test func `a server at its connection limit still responds to operators`() async throws {
        let server = try server(["http://127.0.0.1:0", "admin+http://127.0.0.1:0"]) { $0.connectionLimit = 1 }
        let first = try server.connect(to: server.listeners[0])
        #expect(try answer(first).status == 200)
        #expect(try server.connect(to: server.listeners[0]).receiveResponse().status == 503)
        #expect(try answer(try server.connect(to: server.listeners[1])).status == 200)
        await server.shutdown()
    }

    @Test(arguments: [(["http://127.0.0.1:0"], true), (["http://127.0.0.1:0", "https://127.0.0.1:0"], false)])
    func `certificates without a TLS listener are logged`(_ listeners: [String], _ isWarned: Bool) async throws {
        let tls = try tls()
        let warnings = Lock<[String]>([])
        let listeners = try listeners.map { try HTTPListener($0) }
        let server = try HTTPTestServer(
            configure: { ($0.listeners, $0.tls) = (listeners, tls) },
            log: Log(level: .warning) { event in warnings.withLock { $0.append(event.message) } },
            respond: { _, _ in .response(HTTPResponse(status: .ok)) })
        #expect(warnings.withLock { $0 } == (isWarned ? ["certificates are configured, but no listener uses TLS"] : []))
        await server.shutdown()
    }

    @Test func `the admin listener is reached by its address, the public one by its names`() async throws {
        let server = try server(["http://127.0.0.1:0", "admin+http://127.0.0.1:0"]) {
            $0.allowedHosts = ["granary.test"]
        }
        let statuses = try server.listeners.map { listener in
            try ["granary.test", "127.0.0.1:9090", "[::1]", "LOCALHOST", "elsewhere.test"].map {
                try answer(try server.connect(to: listener), host: $0).status
            }
        }
        #expect(statuses == [[200, 421, 421, 421, 421], [200, 200, 200, 200, 421]])
        await server.shutdown()
    }

    @Test func `only public requests are redirected to TLS and get HSTS`() async throws {
        var tls = try tls()
        tls.redirectsCleartext = true
        tls.strictTransportSecurity = "max-age=1"
        let server = try server([
            "admin+https://127.0.0.1:0", "http://127.0.0.1:0", "admin+http://127.0.0.1:0", "unix:\(folder("a"))",
            "https://127.0.0.1:0",
        ]) { [tls] in $0.tls = tls }
        let answers = try server.listeners.map { try answer(try server.connect(to: $0)) }
        #expect(answers.map(\.status) == [200, 308, 200, 200, 200])
        let port = server.listeners[4].address.port
        #expect(answers[1].fields.value(.location) == "https://h:\(port)/")
        #expect(answers.map { $0.fields.value(.strictTransportSecurity) } == [nil, nil, nil, nil, "max-age=1"])
        await server.shutdown()
    }
}

/// Leaves a socket behind, like a server that was killed.
private func abandonSocket(at path: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    try #require(result == 0)
}

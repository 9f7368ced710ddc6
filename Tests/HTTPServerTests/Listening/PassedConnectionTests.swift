import CLinux
import Glibc
import HTTPModel
import HTTPServerTesting
import TLS
import Testing

@testable import HTTPServer

/// Requests that a server receives from the one before it.
struct PassedConnectionTests {
    /// Describes the peer of each request.
    private final class Mirror: HTTPResponder {
        func respond(to request: HTTPRequest) -> HTTPAnswer {
            let text = "\(request.scheme) \(PassedConnectionTests.text(request.peer))"
            return .response(HTTPResponse(status: .ok, body: .bytes(Array(text.utf8))))
        }
    }

    private static func text(_ peer: HTTPPeer) -> String {
        "\(peer.address) \(peer.port) \(peer.certificateSubject ?? "-") \(peer.certificateNames) \(peer.role) "
            + "\(peer.isByUnixSocket) \(peer.isListenerLocal) \(peer.isSecure)"
    }

    private static let peers = [
        HTTPPeer(address: "192.0.2.7", port: 4711), HTTPPeer(address: "unix", port: 0, isByUnixSocket: true),
        HTTPPeer(address: "2001:db8::7", port: 65535, role: .admin, isListenerLocal: true),
        HTTPPeer(
            address: "192.0.2.7", port: 1, certificateSubject: "CN=Ada,O=\u{e9}\nc=",
            certificateNames: ["DNS:a", "", "URI:b"],
            isSecure: true),
        HTTPPeer(address: "192.0.2.7", port: 1, certificateSubject: "", isSecure: true),
    ]

    /// Returns the ends of a connection that is about to be passed, the first one with a limit for reading.
    private func ends() throws -> (ours: Int32, theirs: Int32) {
        var (ours, theirs): (Int32, Int32) = (-1, -1)
        try #require(granary_socket_pair(&ours, &theirs) == 0)
        granary_limit_waiting(ours, 300_000)
        return (ours, theirs)
    }

    private func server(_ configure: (inout HTTPServerConfiguration) -> Void = { _ in }) -> HTTPServer<Mirror> {
        var configuration = HTTPServerConfiguration(port: 0)
        configuration.loopCount = 2
        configuration.drainTimeout = .seconds(1)
        configuration.extendTimeouts()
        configure(&configuration)
        return HTTPServer(configuration: configuration) { _ in Mirror() }
    }

    private func send(_ bytes: [UInt8], on descriptor: Int32) {
        #expect(bytes.withUnsafeBytes { granary_send(descriptor, $0.baseAddress, $0.count) } == bytes.count)
    }

    /// Returns everything until the end of the connection, which is closed.
    private func readAll(_ descriptor: Int32) -> String {
        defer { close(descriptor) }
        var (received, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 4096))
        while true {
            let count = granary_receive(descriptor, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: received, as: UTF8.self) }
            received += buffer[..<count]
        }
    }

    /// Returns the response to a request of a peer.
    private func response(_ server: HTTPServer<Mirror>, to peer: HTTPPeer, _ fields: [String] = []) throws -> String {
        let (ours, theirs) = try ends()
        #expect(PassedConnection.begin(ours, for: peer))
        send(Array((["GET / HTTP/1.0", "host: h"] + fields + ["", ""]).joined(separator: "\r\n").utf8), on: ours)
        server.serve(passed: theirs)
        return readAll(ours)
    }

    @Test func `a request has the properties of the connection on which it has arrived`() async throws {
        let server = server()
        try server.start()
        for peer in PassedConnectionTests.peers {
            let answer = try response(server, to: peer)
            let text = "\(peer.isSecure ? "https" : "http") \(PassedConnectionTests.text(peer))"
            #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("\r\n\r\n\(text)"), "\(answer)")
        }
        await server.shutdown()
    }

    @Test
    func `a server with only TLS and the PROXY protocol serves passed connections, and redirects those without TLS`()
        async throws
    {
        let source = try TLSContextSource(TLSConfiguration(identities: [try .selfSigned()]))
        let proxies = ["127.0.0.1", "192.0.2.7", "unix"].compactMap { AddressRange($0) }
        let server = server { configuration in
            configuration.tls = HTTPServerTLS(source: source, port: 0)
            configuration.tls?.redirectsCleartext = true
            configuration.tls?.strictTransportSecurity = "max-age=1"
            configuration.listeners = [HTTPListener(.address(host: "127.0.0.1", port: 0), isSecure: true)]
            configuration.proxies = proxies
        }
        try server.start()
        let secure = try response(server, to: HTTPPeer(address: "192.0.2.7", port: 1, isSecure: true))
        #expect(secure.hasPrefix("HTTP/1.1 200 ") && secure.contains("strict-transport-security: max-age=1\r\n"))
        #expect(try response(server, to: HTTPPeer(address: "192.0.2.7", port: 1)).hasPrefix("HTTP/1.1 308 "))
        await server.shutdown()
    }

    @Test func `a connection without a valid description is closed`() async throws {
        let server = server()
        try server.start()
        let request = Array("GET / HTTP/1.0\r\nhost: h\r\n\r\n".utf8)
        for bytes in [
            [], [0], [0, 0, 0, 0], [0, 0, 0, 9, 1], [255, 255, 255, 255], [0, 0, 0, 4, 0, 0, 0, 0], [0, 1, 0, 1],
            request,
        ] {
            let (ours, theirs) = try ends()
            send(bytes, on: ours)
            server.serve(passed: theirs)
            #expect(readAll(ours) == "", "\(bytes)")
        }
        await server.shutdown()
    }

    @Test func `a server that does not serve closes a passed connection`() async throws {
        let server = server()
        #expect(try response(server, to: PassedConnectionTests.peers[0]) == "")
        try server.start()
        await server.shutdown()
        #expect(try response(server, to: PassedConnectionTests.peers[0]) == "")
    }

    @Test func `a client cannot describe itself`() async throws {
        let server = server()
        let port = try server.start().port
        let (ours, theirs) = try ends()
        #expect(PassedConnection.begin(ours, for: PassedConnectionTests.peers[3]))
        var description = [UInt8](repeating: 0, count: 4096)
        let count = granary_receive(theirs, &description, description.count)
        for descriptor in [ours, theirs] { close(descriptor) }
        let client = try HTTPTestClient(port: port)
        defer { client.close() }
        try client.send(Array(description[..<count]) + Array("GET / HTTP/1.0\r\nhost: h\r\n\r\n".utf8))
        #expect(try client.receiveResponse().status == 400)
        await server.shutdown()
    }

    @Test func `every description is read as it was written, and no part of it is`() {
        for peer in PassedConnectionTests.peers {
            let bytes = PassedConnection.bytes(of: peer)
            let read = PassedConnection.peer(from: bytes)
            #expect(read.map { PassedConnectionTests.text($0) } == PassedConnectionTests.text(peer))
            let required = PassedConnection.bytes(
                of: HTTPPeer(
                    address: peer.address, port: peer.port, certificateSubject: peer.certificateSubject,
                    role: peer.role,
                    isByUnixSocket: peer.isByUnixSocket, isListenerLocal: peer.isListenerLocal, isSecure: peer.isSecure)
            )
            for count in 0..<required.count {
                #expect(PassedConnection.peer(from: Array(bytes[..<count])) == nil, "\(count)")
            }
        }
    }

    @Test func `a certificate that is too large for a new socket is not passed`() throws {
        let (ours, theirs) = try ends()
        let name = "DNS:" + String(repeating: "a", count: 70_000)
        let peer = HTTPPeer(address: "192.0.2.7", port: 1, certificateSubject: "CN=a", certificateNames: [name])
        #expect(!PassedConnection.begin(ours, for: peer))
        for descriptor in [ours, theirs] { close(descriptor) }
    }
}

import Access
import CLinux
import Glibc
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Log
import MachineHost
import MachineTesting
import Testing

@testable import Granary

struct SuccessorClientTests {
    /// Repeats what it received.
    private final class Echo: HTTPResponder {
        func respond(to request: HTTPRequest) -> HTTPAnswer {
            var fields: HTTPFields = [.eTag: "\"7\""]
            if let key = request.fields[.idempotencyKey] { fields.append(.idempotencyKey, key) }
            let text = Array("\(request.peer.address) \(request.method.rawValue) \(request.target) ".utf8)
            return .response(HTTPResponse(status: .created, fields: fields, body: .bytes(text + request.body)))
        }
    }

    /// A server to which another one has left its sessions, and the client with which the other one sends it requests.
    private struct Successor {
        let client: SuccessorClient
        private let channel: Int32

        init(serving serve: @escaping @Sendable (Int32) -> Void) throws {
            var ends: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            let predecessor = try #require(
                try Predecessor(environment: [Predecessor.variable: "\(ends[1]) predecessor"]))
            client = try #require(SuccessorClient(channel: ends[0]))
            channel = ends[0]
            predecessor.receiveConnections(serve)
        }

        func response(to request: HTTPRequest) async -> HTTPResponse? {
            try? await result(of: request).get()
        }

        func result(of request: HTTPRequest) async -> Result<HTTPResponse, JournalWriter.ForwardingError> {
            let transfer: UnsafeTransfer<Result<HTTPResponse, JournalWriter.ForwardingError>> =
                await withCheckedContinuation { continuation in
                    client.send(request) { continuation.resume(returning: UnsafeTransfer($0)) }
                }
            return transfer.value
        }

        /// Ends the successor.
        func end() {
            shutdown(channel, Int32(SHUT_RDWR))
            close(channel)
        }
    }

    @Test func `a request reaches the other server, and its response returns`() async throws {
        var configuration = HTTPServerConfiguration(port: 0)
        configuration.extendTimeouts()
        let server = HTTPServer(configuration: configuration) { _ in Echo() }
        try server.start()
        let successor = try Successor { server.serve(passed: $0) }
        let proxy = HTTPPeer(address: "192.0.2.7", port: 4711)
        let request = HTTPRequest(
            method: .post, target: "/v1/sessions/x?y=1",
            fields: [.idempotencyKey: "k", .acceptEncoding: "gzip", .contentLength: "9"], body: Array("input".utf8),
            // The other server decides itself whether it trusts the proxy.
            peer: HTTPPeer(client: NumericAddress("203.0.113.9"), forwardedBy: proxy))
        let received = try #require(await successor.response(to: request))
        #expect(received.status == .created)
        #expect(received.fields[.eTag] == "\"7\"")
        #expect(received.fields[.idempotencyKey] == "k")
        #expect(!received.fields.contains(.contentLength) && !received.fields.contains(.connection))
        #expect(
            String(decoding: received.body.bytes ?? [], as: UTF8.self) == "192.0.2.7 POST /v1/sessions/x?y=1 input")
        let head = try #require(await successor.response(to: HTTPRequest(method: .head, target: "/", peer: proxy)))
        #expect(head.body.bytes?.isEmpty != false && head.fields.value(.contentLength) == "17")
        await server.shutdown()
        #expect(await successor.response(to: request) == nil)
        successor.end()
        #expect(await successor.response(to: request) == nil)
    }

    @Test func `a successor of an earlier version gets no requests`() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let client = try #require(SuccessorClient(channel: ends[0]))
        for descriptor in ends { close(descriptor) }
        let isAnswered: Bool = await withCheckedContinuation { continuation in
            client.send(HTTPRequest(method: .get, target: "/")) {
                continuation.resume(returning: (try? $0.get()) != nil)
            }
        }
        #expect(!isAnswered)
    }

    @Test func `a request that the other server received may have been performed, whatever it answers`() async throws {
        let silent = try Successor { descriptor in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while !String(decoding: buffer, as: UTF8.self).contains("\r\n\r\n"), read(descriptor, &buffer, 4096) > 0 {}
            close(descriptor)
        }
        guard case .failure(.unanswered) = await silent.result(of: HTTPRequest(method: .post, target: "/")) else {
            Issue.record("expected no answer")
            return
        }
        silent.end()
        guard case .failure(.unsent) = await silent.result(of: HTTPRequest(method: .post, target: "/")) else {
            Issue.record("expected a request that was not sent")
            return
        }
    }

    @Test func `the other server knows who a client is, and believes the client no more than before`() async throws {
        let folder = try KeyFolder()
        var configuration = Configuration()
        (configuration.server.port, configuration.server.loopCount) = (0, 2)
        configuration.extendTimeouts()
        configuration.tls.clientIssuers = "/etc/issuers.pem"
        configuration.access.usesCookie = true
        configuration.access.signingKeys = try folder.write(KeyFolder.secret, to: "signing.keys")
        configuration.access.proxyField = "X-Forwarded-User"
        configuration.access.trustedProxies = ["127.0.0.1", "unix"].compactMap { AddressRange($0) }
        configuration.access.rates.sessions = .init(count: 4, window: .seconds(86_400))
        let access = try ServedAccess(configuration, log: .silent)
        let host = try SessionHost([ScriptedMachine.definition(outputs: ["text"])], access: access.current)
        let server = ServerPreparation.makeServer(
            configuration, tls: nil, page: nil,
            telemetry: ServerTelemetry(configuration, inherited: nil, host: host, log: .silent), access: access,
            log: .silent
        ) { host.makeShard(on: $0, counting: $1) }
        try server.start()
        let successor = try Successor { server.serve(passed: $0) }
        func send(
            _ method: HTTPMethod, _ target: String, from peer: HTTPPeer, _ fields: HTTPFields = HTTPFields()
        ) async -> HTTPResponse? {
            var all = fields
            all.append(.contentType, "application/json")
            all.append("sec-fetch-site", "same-origin")
            let body = method == .post ? Array(#"{"machine":"scripted"}"#.utf8) : []
            return await successor.response(
                to: HTTPRequest(method: method, target: target, fields: all, body: body, peer: peer))
        }
        let secure = HTTPPeer(address: "192.0.2.7", port: 1, isSecure: true)
        let claims: HTTPFields = [
            "x-forwarded-user": "ada", "x-forwarded-for": "127.0.0.1", "forwarded": "for=127.0.0.1",
        ]
        let created = try #require(await send(.post, "/v1/sessions", from: secure, claims))
        let cookie = try #require(created.fields.value(.setCookie))
        #expect(created.status == .created && cookie.hasPrefix("__Host-granary=") && cookie.contains("; Secure"))
        let session = try #require(created.fields.value(.location))
        let owner = HTTPFieldValue(String(cookie.prefix { $0 != ";" })) ?? ""
        #expect(await send(.get, session, from: secure, [.cookie: owner])?.status == .ok)
        #expect(await send(.get, session, from: secure)?.status == .notFound)
        let ada = HTTPPeer(address: "192.0.2.8", port: 1, certificateSubject: "CN=Ada", isSecure: true)
        let own = try #require(await send(.post, "/v1/sessions", from: ada)?.fields.value(.location))
        #expect(await send(.get, own, from: ada)?.status == .ok)
        #expect(await send(.get, own, from: secure)?.status == .notFound)
        // The user of a proxy, which is trusted because of its own address.
        let proxy = HTTPPeer(address: "127.0.0.1", port: 1, certificateSubject: "CN=Ada", isSecure: true)
        let user: HTTPFields = ["x-forwarded-user": "bob"]
        let proxied = try #require(await send(.post, "/v1/sessions", from: proxy, user)?.fields.value(.location))
        #expect(await send(.get, proxied, from: proxy, user)?.status == .ok)
        #expect(await send(.get, own, from: proxy)?.status == .notFound)
        // And the limit is that of the client's address.
        var refused = 0
        for _ in 0..<20 where await send(.post, "/v1/sessions", from: secure, claims)?.status == .tooManyRequests {
            refused += 1
        }
        #expect(refused >= 17)
        await server.shutdown()
        successor.end()
    }

    @Test func `a request without a host has none in the other server either`() {
        var request = HTTPRequest(method: .get, target: "/")
        request.authority = ""
        #expect(!String(decoding: SuccessorClient.bytes(of: request), as: UTF8.self).contains("host"))
        request.authority = "h.test"
        #expect(String(decoding: SuccessorClient.bytes(of: request), as: UTF8.self).contains("\r\nhost: h.test\r\n"))
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "x\r\n\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab"])
    func `an incomplete response is none`(text: String) {
        #expect(HTTPResponse(closedBy: Array(text.utf8)) == nil)
    }
}

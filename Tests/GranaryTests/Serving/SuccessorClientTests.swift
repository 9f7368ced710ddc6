import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Testing

@testable import Granary

struct SuccessorClientTests {
    /// Repeats what it received.
    private final class Echo: HTTPResponder {
        func respond(to request: HTTPRequest) -> HTTPAnswer {
            var fields: HTTPFields = [.eTag: "\"7\""]
            if let key = request.fields[.idempotencyKey] { fields.append(.idempotencyKey, key) }
            let text = Array("\(request.method.rawValue) \(request.target) ".utf8)
            return .response(HTTPResponse(status: .created, fields: fields, body: .bytes(text + request.body)))
        }
    }

    private func response(
        to request: HTTPRequest, _ configuration: Configuration, _ port: UInt16
    ) async -> HTTPResponse? {
        let listeners = [
            HTTPListener(.address(host: "127.0.0.1", port: 1), role: .admin),
            HTTPListener(.address(host: "127.0.0.1", port: port)),
        ]
        guard let client = SuccessorClient(configuration, listeners: listeners) else { return nil }
        let transfer: UnsafeTransfer<HTTPResponse?> = await withCheckedContinuation { continuation in
            client.send(request) { continuation.resume(returning: UnsafeTransfer($0)) }
        }
        return transfer.value
    }

    @Test func `a request reaches the other server, and its response returns`() async throws {
        // Nobody else gets the port when the server has stopped.
        let held = try HTTPTestHeldPort()
        var configuration = HTTPServerConfiguration(port: held.number)
        configuration.extendTimeouts()
        let server = HTTPServer(configuration: configuration) { _ in Echo() }
        let port = try server.start().port
        let request = HTTPRequest(
            method: .post, target: "/v1/sessions/x?y=1", authority: "localhost:\(port)",
            fields: [.idempotencyKey: "k", .acceptEncoding: "gzip", .contentLength: "9"], body: Array("input".utf8))
        let received = try #require(await response(to: request, Configuration(), port))
        #expect(received.status == .created)
        #expect(received.fields[.eTag] == "\"7\"")
        #expect(received.fields[.idempotencyKey] == "k")
        #expect(!received.fields.contains(.contentLength) && !received.fields.contains(.connection))
        #expect(String(decoding: received.body.bytes ?? [], as: UTF8.self) == "POST /v1/sessions/x?y=1 input")
        let head = HTTPRequest(method: .head, target: "/", authority: "localhost:\(port)")
        #expect(try #require(await response(to: head, Configuration(), port)).body.bytes == [])
        await server.shutdown()
        #expect(await response(to: request, Configuration(), port) == nil)
        withExtendedLifetime(held) {}
    }

    @Test func `a server that can only be reached with TLS or through a proxy has no client`() {
        let secure = HTTPListener(.address(host: "127.0.0.1", port: 1), isSecure: true)
        let plain = HTTPListener(.address(host: "127.0.0.1", port: 1))
        #expect(SuccessorClient(Configuration(), listeners: [secure]) == nil)
        var redirecting = Configuration()
        redirecting.tls.redirectsCleartext = true
        #expect(SuccessorClient(redirecting, listeners: [plain]) == nil)
        #expect(SuccessorClient(Configuration(), listeners: [secure, plain]) != nil)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "x\r\n\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab"])
    func `an incomplete response is none`(text: String) {
        #expect(HTTPResponse(closedBy: Array(text.utf8)) == nil)
    }
}

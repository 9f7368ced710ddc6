import HTTP2
import HTTPModel
import HTTPServerTesting

/// The server side of an in-memory connection with a client of the test kit.
final class InMemoryServer {
    let client: HTTP2TestClient
    let connection: HTTP2Connection
    var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private(set) var requests: [HTTPRequest] = []
    private(set) var resets: [HTTP2ErrorCode] = []
    var answer: (HTTPRequest) -> HTTPResponse? = { request in
        HTTPResponse(status: .ok, fields: ["x-path": "here"], body: .bytes(request.body))
    }

    init(_ client: HTTP2TestClient, limits: HTTP2Limits = HTTP2Limits()) {
        self.client = client
        connection = HTTP2Connection(limits: limits, scheme: "https", peer: .unknown, now: now)
    }

    /// Processes the client's output and responds to it.
    func receive() {
        client.takeOutput().withUnsafeBytes { connection.receive($0, now: now) }
        respondToAll()
    }

    func respondToAll() {
        while let event = connection.nextEvent() {
            switch event {
            case .request(let id, let request):
                requests.append(request)
                if let response = answer(request) {
                    connection.respond(to: id, with: response, date: Array("now".utf8))
                }
            case .refusal(let id, let refusal, _):
                connection.respond(to: id, with: refusal.problem.response, date: [])
            case .reset(_, let code): resets.append(code)
            case .malformed, .goAway: break
            }
        }
    }

    /// Transfers bytes in both directions until neither side has output.
    func exchange() {
        while true {
            receive()
            var output: [UInt8] = []
            connection.write(into: &output, limit: 64 << 10)
            client.receive(output)
            let reply = client.takeOutput()
            if output.isEmpty && reply.isEmpty { return }
            reply.withUnsafeBytes { connection.receive($0, now: now) }
            respondToAll()
        }
    }

    func pass(_ duration: Duration) {
        now = now + duration
        connection.timePassed(now: now)
        respondToAll()
        exchange()
    }
}

import HTTP2
import HTTPModel

/// Both sides of a connection, in memory.
final class ClientPair: HTTP2ConnectionOwner {
    let client: HTTP2ClientConnection
    let server: HTTP2Connection
    let collector = ResponseCollector()
    var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private(set) var requests: [HTTPRequest] = []
    private(set) var serverResets: [HTTP2ErrorCode] = []
    private(set) var pending: [HTTP2StreamID] = []
    private(set) var outputNotices = 0
    var answer: (HTTPRequest) -> HTTPResponse? = { request in HTTPResponse(status: .ok, body: .bytes(request.body)) }
    /// Bytes that were written and have not arrived.
    private var toServer: [UInt8] = []
    private var toClient: [UInt8] = []

    init(_ limits: HTTP2ClientLimits = HTTP2ClientLimits(), server serverLimits: HTTP2Limits = HTTP2Limits()) {
        client = HTTP2ClientConnection(limits: limits, now: now)
        server = HTTP2Connection(limits: serverLimits, scheme: "https", peer: .unknown, now: now)
        client.owner = self
    }

    func connectionHasOutput() { outputNotices += 1 }

    static func request(_ method: HTTPMethod = .get, _ target: String = "/", body: [UInt8] = []) -> HTTPRequest {
        HTTPRequest(method: method, target: target, scheme: "https", authority: "node-2", body: body)
    }

    /// Transfers all bytes in both directions until neither side has output.
    func exchange() {
        handleEvents()
        var isBusy = true
        while isBusy {
            isBusy = false
            for side in [Step.clientWrites, .serverReads, .serverWrites, .clientReads] {
                isBusy = perform(side, atMost: .max) || isBusy
            }
        }
    }

    enum Step: CaseIterable {
        case clientWrites, clientReads, serverWrites, serverReads
    }

    /// Moves at most a number of bytes; returns whether there were any.
    @discardableResult
    func perform(_ step: Step, atMost count: Int) -> Bool {
        let moved: Int
        switch step {
        case .clientWrites:
            let before = toServer.count
            client.write(into: &toServer, limit: before + min(count, 1 << 20))
            moved = toServer.count - before
        case .serverWrites:
            let before = toClient.count
            server.write(into: &toClient, limit: before + min(count, 1 << 20))
            moved = toClient.count - before
        case .serverReads:
            moved = min(count, toServer.count)
            toServer[..<moved].withUnsafeBytes { server.receive($0, now: now) }
            toServer.removeFirst(moved)
        case .clientReads:
            moved = min(count, toClient.count)
            toClient[..<moved].withUnsafeBytes { client.receive($0, now: now) }
            toClient.removeFirst(moved)
        }
        handleEvents()
        return moved > 0
    }

    func handleEvents() {
        while let event = server.nextEvent() {
            switch event {
            case .request(let id, let request):
                requests.append(request)
                if let response = answer(request) {
                    server.respond(to: id, with: response, date: [])
                } else {
                    pending.append(id)
                }
            case .refusal(let id, let refusal, _):
                server.respond(to: id, with: refusal.problem.response, date: [])
            case .reset(_, let code): serverResets.append(code)
            case .malformed, .goAway: break
            }
        }
        collector.handleEvents(of: client)
    }

    /// Sends a request that must be taken.
    @discardableResult
    func send(_ request: HTTPRequest, content: (any HTTPBodyStream)? = nil) -> HTTP2StreamID {
        do {
            return try client.send(request, content: content)
        } catch {
            preconditionFailure("expected the request to be taken, got \(error)")
        }
    }
}

import HTTP2
import HTTPModel
import HTTPServerTesting

typealias Frame = HTTP2TestFrame

/// A client that sends arbitrary frames, and the server side of its connection.
final class RawClient {
    let connection: HTTP2Connection
    var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private(set) var events: [HTTP2Event] = []
    private(set) var frames: [Frame] = []
    private let opensConnection: Bool
    /// Whether the client reads the server's output.
    var reads = true
    /// Returns the response to a request, or `nil` for no response.
    var answer: (HTTPRequest) -> HTTPResponse? = { _ in HTTPResponse(status: .ok, body: .bytes(Array("ok".utf8))) }

    /// Creates a client that sends its preface and settings, unless `greets` is false.
    init(
        _ limits: HTTP2Limits = HTTP2Limits(), greets: Bool = true, opensConnection: Bool = true,
        settings: [(UInt16, UInt32)] = []
    ) {
        self.opensConnection = opensConnection
        connection = HTTP2Connection(limits: limits, scheme: "http", peer: .unknown, now: now, jitter: 0)
        if greets { greet(settings) }
    }

    func greet(_ settings: [(UInt16, UInt32)] = []) {
        send(HTTP2Preface.bytes + Frame.settings(settings).bytes + Frame.settingsAnswer().bytes)
        // The connection window is large, so that only tests of that window depend on it.
        if opensConnection { send(.windowUpdate(0, by: 1 << 30)) }
        frames = []
    }

    func send(_ frames: Frame...) { send(frames.flatMap(\.bytes)) }

    func send(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { connection.receive($0, now: now) }
        step()
    }

    /// Advances the time, and notifies the connection at its deadlines as its owner would.
    func pass(_ duration: Duration) {
        let end = now + duration
        while let deadline = connection.deadline, deadline <= end {
            now = max(now, deadline)
            connection.timePassed(now: now)
            step()
            if connection.deadline == deadline { break }
        }
        now = end
        connection.timePassed(now: now)
        step()
    }

    /// Responds to all pending requests, and reads all pending output.
    func step() {
        while let event = connection.nextEvent() {
            events.append(event)
            switch event {
            case .request(let id, let request):
                if let response = answer(request) { connection.respond(to: id, with: response, date: []) }
            case .refusal(let id, let refusal, _):
                connection.respond(to: id, with: refusal.problem.response, date: [])
            case .malformed, .reset, .goAway: break
            }
        }
        guard reads else { return }
        var output: [UInt8] = []
        repeat {
            output.removeAll()
            connection.write(into: &output, limit: 1 << 20)
            frames += Frame.reading(output)
        } while !output.isEmpty
    }

    var requests: [HTTPRequest] {
        events.compactMap { event in
            if case .request(_, let request) = event { request } else { nil }
        }
    }

    var errors: [HTTP2MessageError] {
        events.compactMap { event in
            if case .malformed(_, let error) = event { error } else { nil }
        }
    }

    var refusals: [HTTP2Refusal] {
        events.compactMap { event in
            if case .refusal(_, let refusal, _) = event { refusal } else { nil }
        }
    }

    func frames(_ kind: UInt8, on stream: Int32? = nil) -> [Frame] {
        frames.filter { $0.kind == kind && (stream == nil || $0.stream == stream) }
    }

    /// The streams that the server has reset.
    var resets: [Int32] { frames(Frame.Kind.reset).map(\.stream) }

    static let get = [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "h")]
    static let post = [(":method", "POST"), (":scheme", "http"), (":path", "/"), (":authority", "h")]
}

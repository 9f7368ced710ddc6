import HTTP2
import HTTPModel
import HTTPServerTesting

/// A server that sends arbitrary frames, and the client's side of its connection.
final class RawServer {
    let client: HTTP2ClientConnection
    let collector = ResponseCollector()
    var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private(set) var frames: [Frame] = []
    /// Whether the server reads the client's output.
    var reads = true

    /// Creates a server that sends its settings, unless `greets` is false.
    init(
        _ limits: HTTP2ClientLimits = HTTP2ClientLimits(), greets: Bool = true, settings: [(UInt16, UInt32)] = []
    ) {
        client = HTTP2ClientConnection(limits: limits, now: now)
        if greets { send(.settings(settings), .settingsAnswer()) }
    }

    func send(_ frames: Frame...) { send(frames.flatMap(\.bytes)) }

    func send(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { client.receive($0, now: now) }
        step()
    }

    /// Handles all events, and reads all output.
    func step() {
        collector.handleEvents(of: client)
        guard reads else { return }
        var output: [UInt8] = []
        repeat {
            output.removeAll()
            client.write(into: &output, limit: 1 << 20)
            if output.starts(with: HTTP2Preface.bytes) { output.removeFirst(HTTP2Preface.bytes.count) }
            frames += Frame.reading(output)
            collector.handleEvents(of: client)
        } while !output.isEmpty
    }

    /// Advances the time, and notifies the connection at its deadlines as its owner would.
    func pass(_ duration: Duration) {
        let end = now + duration
        while let deadline = client.deadline, deadline <= end {
            now = max(now, deadline)
            client.timePassed(now: now)
            step()
            if client.deadline == deadline { break }
        }
        now = end
        client.timePassed(now: now)
        step()
    }

    @discardableResult
    func request(_ method: HTTPMethod = .get, body: [UInt8] = []) -> HTTP2StreamID {
        do {
            let id = try client.send(ClientPair.request(method, body: body))
            step()
            return id
        } catch {
            preconditionFailure("expected the request to be taken, got \(error)")
        }
    }

    func frames(_ kind: UInt8, on stream: Int32? = nil) -> [Frame] {
        frames.filter { $0.kind == kind && (stream == nil || $0.stream == stream) }
    }

    func failure(_ id: HTTP2StreamID) -> HTTP2RequestFailure? { collector.failures[id.rawValue] }

    static let ok = [(":status", "200")]

    /// Returns a `GOAWAY` frame.
    static func goAway(_ last: Int32, code: UInt32 = 0) -> Frame {
        Frame(kind: Frame.Kind.goAway, payload: Frame.word(UInt32(bitPattern: last)) + Frame.word(code))
    }
}

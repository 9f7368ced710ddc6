import HTTP1
import HTTPModel

/// Content that is sent in parts after a head that has been written.
struct StreamedBody {
    /// The size from which content is sent in parts instead of being copied after its head.
    static let copyLimit = 64 << 10

    let stream: any HTTPBodyStream
    let framing: HTTP1BodyFraming
    /// Whether this is a stream of events. Its client may read them at its own pace.
    let sendsEvents: Bool

    init(stream: any HTTPBodyStream, framing: HTTP1BodyFraming, sendsEvents: Bool) {
        self.stream = stream
        self.framing = framing
        self.sendsEvents = sendsEvents
    }

    /// Creates the rest of a response whose head was written with a framing. Returns `nil` if there is nothing left to
    /// send.
    @inline(__always)
    init?(of response: HTTPResponse, _ framing: HTTP1BodyFraming) {
        // Checked first, because most responses end here and accessing the body would retain it.
        if framing == .whole { return nil }
        switch response.body {
        case .stream(let stream):
            // A stream of known length is sent completely even if the peer has closed its sending side, so it does not
            // count as a stream of events.
            self.init(
                stream: stream, framing: framing, sendsEvents: framing != .separate && response.isEventStream)
        case .bytes(let bytes) where framing == .separate:
            self.init(stream: SharedBytesBody(bytes), framing: framing, sendsEvents: false)
        case .bytes, .empty: return nil
        }
    }

    /// Returns whether the content of a response, which is in memory, is sent in parts.
    static func sendsInParts(_ response: HTTPResponse, isHead: Bool) -> Bool {
        guard case .bytes(let bytes) = response.body, !isHead else { return false }
        return bytes.count > copyLimit
    }

    /// Appends the next part with its framing.
    func read(into output: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        guard framing == .chunked else { return stream.read(into: &output, limit: limit) }
        let chunk = HTTP1Chunk(in: &output)
        let progress = stream.read(into: &output, limit: limit)
        chunk.end(in: &output)
        return progress
    }

    /// Appends the end of the content, with trailers if the client accepts them.
    func appendEnd(takesTrailers: Bool, to output: inout [UInt8]) {
        guard framing == .chunked else { return }
        guard takesTrailers else { return HTTP1Chunk.appendLast(to: &output) }
        HTTP1Chunk.appendLast(trailers: stream.trailers, to: &output)
    }
}

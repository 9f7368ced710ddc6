import HTTP1
import HTTPModel

/// Content that is sent a part at a time, behind a head that has been written.
struct StreamedBody {
    /// The number of bytes from which on content is not copied behind its head, but sent a part at a time.
    static let copyLimit = 64 << 10

    let stream: any HTTPBodyStream
    let framing: HTTP1BodyFraming
    /// Whether this is a stream of events. Its client may take them at its own pace.
    let sendsEvents: Bool

    init(stream: any HTTPBodyStream, framing: HTTP1BodyFraming, sendsEvents: Bool) {
        self.stream = stream
        self.framing = framing
        self.sendsEvents = sendsEvents
    }

    /// Creates the rest of a response whose head was written with that framing; `nil` if nothing of it is left to send.
    @inline(__always)
    init?(of response: HTTPResponse, _ framing: HTTP1BodyFraming) {
        // First, as most responses end here: looking at the body would retain it.
        if framing == .whole { return nil }
        switch response.body {
        case .stream(let stream):
            // A stream whose length is known is sent to its end even if the peer sends no more, so it does not count as a
            // stream of events.
            self.init(
                stream: stream, framing: framing, sendsEvents: framing != .separate && response.isEventStream)
        case .bytes(let bytes) where framing == .separate:
            self.init(stream: SharedBytesBody(bytes), framing: framing, sendsEvents: false)
        case .bytes, .empty: return nil
        }
    }

    /// Whether a response's content is sent a part at a time, from the bytes that it has in memory.
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

    /// Appends the end of the content, with trailers if the client takes them.
    func appendEnd(takesTrailers: Bool, to output: inout [UInt8]) {
        guard framing == .chunked else { return }
        guard takesTrailers else { return HTTP1Chunk.appendLast(to: &output) }
        HTTP1Chunk.appendLast(trailers: stream.trailers, to: &output)
    }
}

import HTTP1
import HTTPModel

/// Content that is there and stays where it is, given out a part at a time: many connections send the same bytes, each with
/// no more of its own than a part that its socket did not take.
final class SharedBytesBody: HTTPBodyStream {
    private var rest: ArraySlice<UInt8>
    let contentLength: Int?

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
        contentLength = bytes.count
    }

    func start(_ consumer: any HTTPBodyConsumer) {}

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        buffer.append(contentsOf: rest.prefix(limit))
        rest = rest.dropFirst(limit)
        return rest.isEmpty ? .finished : .more
    }

    func stop() { rest = [] }
}

extension Connection {
    /// Content with more bytes is not copied behind its head, but sent a part at a time.
    static let mostWrittenAtOnce = 64 << 10

    /// Whether an answer's content will be sent a part at a time: at home, where the socket is.
    func isSentInParts(_ response: HTTPResponse) -> Bool {
        guard case .bytes(let bytes) = response.body, !exchange.isHead else { return false }
        return bytes.count > Connection.mostWrittenAtOnce
    }

    /// Goes on with content whose head has been written. Unlike a stream, it is sent to its end also where the peer has
    /// nothing more to say: there is nothing that it could wait for.
    func sendInParts(_ response: HTTPResponse) {
        let body: any HTTPBodyStream
        switch response.body {
        case .bytes(let bytes): body = SharedBytesBody(bytes)
        case .stream(let stream): body = stream
        case .empty: return
        }
        state = .streaming(body, .separate)
        flags.insert(.streamIsReady)
        body.start(self)
    }
}

import HTTP1
import HTTPModel

/// A body whose bytes are shared by many connections. Each connection copies only the part that its socket did not
/// take.
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
    /// Larger content is not copied after its head, but sent in parts.
    static let mostWrittenAtOnce = 64 << 10

    /// Returns whether the content of a response has to be sent in parts, by the loop that has the socket.
    func isSentInParts(_ response: HTTPResponse) -> Bool {
        guard case .bytes(let bytes) = response.body, !exchange.isHead else { return false }
        return bytes.count > Connection.mostWrittenAtOnce
    }

    /// Continues with content whose head has been written. Unlike a stream, it is sent to its end even if the peer has
    /// closed its half: no more data is awaited.
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

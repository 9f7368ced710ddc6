import HTTPModel

/// A body whose bytes are shared by many connections. Each connection copies only the part that its socket did not
/// accept.
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

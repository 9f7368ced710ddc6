import HTTPModel

/// Content that is there and stays where it is, given out a part at a time: many connections send the same bytes, each with
/// no more of its own than a part that its socket did not take.
final class LentBody: HTTPBodyStream {
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

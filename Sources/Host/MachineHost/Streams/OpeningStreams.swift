/// The streams that have been created for clients with credentials, and that no connection reads yet. What happens to the
/// credentials of a session's streams happens to these, too. Confined to their loop.
///
/// A session does not know them, because a response that is never read must not keep a stream.
struct OpeningStreams {
    private struct Entry {
        weak var stream: SessionStream?
        let session: SessionID
    }

    /// Few, because a response begins in the round of its request, or when those before it have been sent.
    private var entries: [Entry] = []

    /// The number of streams that are remembered, including those that no longer exist.
    var count: Int { entries.count }

    mutating func add(_ stream: SessionStream, of session: SessionID) {
        assert(stream.lease != nil, "expected a stream with a lease, which removes itself")
        entries.removeAll { $0.stream == nil }
        entries.append(Entry(stream: stream, session: session))
    }

    /// Removes a stream that has begun.
    mutating func remove(_ stream: SessionStream) {
        entries.removeAll { $0.stream === stream }
    }

    var all: [SessionStream] { entries.compactMap(\.stream) }

    func streams(of session: SessionID) -> [SessionStream] {
        entries.isEmpty ? [] : entries.compactMap { $0.session == session ? $0.stream : nil }
    }
}

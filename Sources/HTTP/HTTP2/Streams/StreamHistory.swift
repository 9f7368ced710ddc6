/// The streams on which a client may still send (RFC 9113 §5.1, §5.1.1). The library forgets a closed stream and
/// ignores later frames on it. This history detects a client that continues a stream which it has ended itself.
///
/// Streams that the server has ended or refused are exempt: such frames may have been in flight.
struct StreamHistory: Sendable {
    /// The number of streams and gaps that are remembered. For older ones, no error is reported, or a less specific
    /// error code is used. Every reset counts against the connection, so there cannot be more of them in flight.
    private static let excusedCount = 1024
    private static let gapCount = 16

    /// The highest stream that the client has opened.
    private var newest: Int32 = 0
    /// The stream whose head is being received, until it is open.
    private var announced: Int32 = 0
    /// Streams that the server has ended or refused. The oldest one is overwritten first.
    private var excused: [Int32] = []
    private var oldest = 0
    /// Skipped identifiers, which are thereby closed.
    private var gaps: [ClosedRange<Int32>] = []

    /// Records the beginning of a head. Returns an error code if it violates the protocol; `isOpen` is evaluated only
    /// if needed. Streams that a client cannot open are left to the library.
    mutating func headBegins(on id: Int32, isOpen: @autoclosure () -> Bool) -> HTTP2ErrorCode? {
        excuseAnnounced()
        guard id & 1 == 1 else { return nil }
        if id > newest {
            begin(id)
            return nil
        }
        if isOpen() || excused.contains(id) { return nil }
        return gaps.contains { $0.contains(id) } ? .protocolError : .streamClosed
    }

    /// Records the beginning of content, which the library does not report if it ignores it. All earlier frames that
    /// may have ended the stream have been processed.
    func contentBegins(on id: Int32, isOpen: @autoclosure () -> Bool) -> HTTP2ErrorCode? {
        guard id & 1 == 1, id <= newest, id != announced, !isOpen(), !excused.contains(id) else { return nil }
        return .streamClosed
    }

    /// Records that the announced stream has been opened.
    mutating func streamOpened() {
        announced = 0
    }

    /// Exempts a stream that the server has ended before the client did.
    mutating func excuse(_ id: Int32) {
        if excused.count < StreamHistory.excusedCount { return excused.append(id) }
        excused[oldest] = id
        oldest = (oldest + 1) % excused.count
    }

    /// Exempts a stream whose head did not open it, because it was refused or came too late.
    private mutating func excuseAnnounced() {
        guard announced != 0 else { return }
        excuse(announced)
        announced = 0
    }

    private mutating func begin(_ id: Int32) {
        // The first identifier is 1, so a client that begins with a higher one has skipped some.
        if id > newest &+ 2 || newest == 0 && id > 1 {
            if gaps.count == StreamHistory.gapCount { gaps.removeFirst() }
            gaps.append((newest &+ 1)...(id - 1))
        }
        newest = id
        announced = id
    }
}

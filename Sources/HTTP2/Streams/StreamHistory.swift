/// Which streams a client may still speak on (RFC 9113 §5.1, §5.1.1). The library forgets a stream with its end, and passes
/// over what comes on it afterwards; here a client that goes on with a stream that it has ended itself is told.
///
/// What the server has ended, or not taken, is another matter: frames may have been on their way.
struct StreamHistory: Sendable {
    /// Streams and gaps that are remembered; of older ones nothing is held against the client, or the less telling code is
    /// used. Every reset counts against the connection, so that more than so many in flight cannot be.
    private static let excusedCount = 1024
    private static let gapCount = 16

    /// The highest stream that the client has begun.
    private var newest: Int32 = 0
    /// The stream whose head has begun to come, until it is open.
    private var announced: Int32 = 0
    /// Streams that have ended, or never began, by the server's will; the oldest is overwritten first.
    private var excused: [Int32] = []
    private var oldest = 0
    /// Identifiers that were left out, which closes them.
    private var gaps: [ClosedRange<Int32>] = []

    /// A head begins to come. Answers how that breaks the protocol, if it does; `isOpen` is asked only where it matters.
    /// Streams that are nobody's to open are left to the library.
    mutating func headBegins(on id: Int32, isOpen: @autoclosure () -> Bool) -> HTTP2ErrorCode? {
        settle()
        guard id & 1 == 1 else { return nil }
        if id > newest {
            begin(id)
            return nil
        }
        if isOpen() || excused.contains(id) { return nil }
        return gaps.contains { $0.contains(id) } ? .protocolError : .streamClosed
    }

    /// Content begins to come, of which the library does not tell where it passes over it. All frames before it have been
    /// worked on that may have ended its stream.
    func contentBegins(on id: Int32, isOpen: @autoclosure () -> Bool) -> HTTP2ErrorCode? {
        guard id & 1 == 1, id <= newest, id != announced, !isOpen(), !excused.contains(id) else { return nil }
        return .streamClosed
    }

    /// The stream whose head began has been opened.
    mutating func streamOpened() {
        announced = 0
    }

    /// The server has ended a stream on which the client has not said all.
    mutating func excuse(_ id: Int32) {
        if excused.count < StreamHistory.excusedCount { return excused.append(id) }
        excused[oldest] = id
        oldest = (oldest + 1) % excused.count
    }

    /// A head that opened no stream was refused, or came too late.
    private mutating func settle() {
        guard announced != 0 else { return }
        excuse(announced)
        announced = 0
    }

    private mutating func begin(_ id: Int32) {
        // The first is 1, so that a client that begins with a higher one has left some out.
        if id > newest &+ 2 || newest == 0 && id > 1 {
            if gaps.count == StreamHistory.gapCount { gaps.removeFirst() }
            gaps.append((newest &+ 1)...(id - 1))
        }
        newest = id
        announced = id
    }
}

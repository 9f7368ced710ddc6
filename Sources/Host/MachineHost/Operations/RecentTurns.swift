import StateCapture

/// The last turns of a loop, for operators: when and why each one ran, how long it took, and how many streams received its change. They are
/// remembered even when their stored records are gone. Confined to the loop.
///
/// Nothing of it is stored. Turns of a former process, and those that many others have followed, are unknown.
final class RecentTurns {
    struct Turn {
        /// The ``Session/recentKey`` of the session.
        let session: UInt64
        /// The number of its row; 0 if the session is not stored.
        let number: UInt64
        /// The version of its change; 0 if it changed no output.
        let version: UInt64
        let nanoseconds: UInt64
        /// The time that the wall clock showed, in milliseconds of Unix time.
        let time: Int64
        let cause: Cause
        /// The number of streams that its change was released to; nil before that.
        var streams: UInt32?
    }

    /// The cause of a turn, without values: a reference would cost each turn a retain.
    enum Cause: Equatable {
        case scheduled, batch, received, restored
        /// An input, by its place in the registration; nil if the place is not known.
        case input(UInt16?)

        init(_ cause: TurnCause) {
            switch cause.trigger {
            case .scheduled: self = .scheduled
            case .batch: self = .batch
            case .received: self = .received
            case .resumed: self = .restored
            case .input: self = .input(cause.place.map { UInt16(clamping: $0) })
            }
        }
    }

    // Unchecked exclusivity: see `Session`.
    // One ring for all sessions of the loop: its size must not depend on their number, and it outlives those that go to sleep.
    @exclusivity(unchecked) private var ring: [Turn] = []
    /// The number of turns so far.
    @exclusivity(unchecked) private var count = 0
    private let capacity: Int

    /// - Parameter capacity: The number of turns that are remembered.
    init(capacity: Int = 8192) {
        assert(capacity > 0, "expected room for a turn, got \(capacity)")
        self.capacity = capacity
    }

    /// Adds a turn. Returns its place.
    func append(_ turn: Turn) -> Int {
        let place = count
        count += 1
        if ring.count == capacity {
            ring[place % capacity] = turn
        } else {
            // The whole ring at once, so that only the first turn allocates. The system provides its pages as they are used.
            if ring.isEmpty { ring.reserveCapacity(capacity) }
            ring.append(turn)
        }
        return place
    }

    /// Notes that the change of a turn was released to a number of streams, unless too many turns have followed.
    func release(_ place: Int, to streams: Int) {
        assert(place < count, "expected the place of one of \(count) turns, got \(place)")
        guard count - place <= capacity else { return }
        ring[place % capacity].streams = UInt32(clamping: streams)
    }

    /// Returns the turns of a session that are remembered, oldest first.
    func turns(of session: UInt64) -> [Turn] {
        let begin = ring.count < capacity ? 0 : count % capacity
        // Filtered apart: the ring is much larger than what is returned.
        return ring[begin...].filter { $0.session == session } + ring[..<begin].filter { $0.session == session }
    }
}

extension Session {
    /// What ``RecentTurns`` knows the session by.
    // The stored id of a session that is not stored is a digest, which would have to be computed for each turn.
    var recentKey: UInt64 { storage?.id.low ?? id.low }

    /// Remembers a turn of a session that is not stored. Its change was released at its end.
    func noteTurn(_ cause: TurnCause, _ ended: borrowing EndedTurn, in recent: RecentTurns?) {
        guard storage == nil, let recent, let nanoseconds = ended.nanoseconds, ended.outcome.isChange else { return }
        _ = recent.append(
            .init(
                session: recentKey, number: 0, version: version, nanoseconds: nanoseconds,
                time: clock.storedMilliseconds &+ clock.stored.wallLead, cause: .init(cause),
                streams: UInt32(clamping: streams.count)))
    }
}

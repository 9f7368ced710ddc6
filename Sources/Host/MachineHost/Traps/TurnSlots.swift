import CRuntime
import Locking

/// Memory in which each loop notes its turn in progress, where the next process finds it.
///
/// A trap (`fatalError`, an index out of bounds, an exhausted stack) ends the process, because Swift cannot catch it. The
/// signal handler flags the turn of its own thread, so that the next process knows which input has ended this one. The end of the
/// process by `kill -9`, or by a trap of another thread, flags nothing.
public final class TurnSlots: Sendable {
    /// The number of bytes for each loop: a cache line, so that loops do not slow each other down.
    public static let stride = 64
    /// The number of loops that have a slot. A loop without one runs its turns without noting them.
    public let count: Int
    /// The turns that ended the process before.
    let trapped: [TrappedTurn]
    private let memory: UnsafeTransfer<UnsafeMutableRawPointer>

    /// Takes memory that outlives the process, reads what the process before has left there, and clears it.
    ///
    /// - Parameter memory: The memory, which is never released. Aligned to ``stride`` bytes.
    public init(_ memory: UnsafeMutableRawBufferPointer) {
        count = memory.count / TurnSlots.stride
        guard let base = memory.baseAddress, count > 0 else {
            preconditionFailure("expected memory for at least one turn, got \(memory.count) bytes")
        }
        assert(
            MemoryLayout<granary_turn>.size <= TurnSlots.stride,
            "expected a turn of at most \(TurnSlots.stride) bytes, got \(MemoryLayout<granary_turn>.size)")
        self.memory = UnsafeTransfer(base)
        trapped = (0..<count).compactMap { index in
            TrappedTurn((base + index * TurnSlots.stride).loadUnaligned(as: granary_turn.self))
        }
        memory.initializeMemory(as: UInt8.self, repeating: 0)
    }

    /// Returns the slot of a loop; nil if there are more loops than slots.
    func slot(ofLoop index: Int) -> TurnSlot? {
        assert(index >= 0, "expected the index of a loop, got \(index)")
        guard index < count else { return nil }
        return TurnSlot((memory.value + index * TurnSlots.stride).bindMemory(to: granary_turn.self, capacity: 1))
    }
}

/// A turn that ended its process.
struct TrappedTurn: Equatable {
    let session: StoredSessionID
    /// The digests of the key and of the request that caused the turn; nil without a key.
    let key: RequestDigest?
    let request: RequestDigest?

    fileprivate init?(_ turn: granary_turn) {
        guard turn.state == UInt32(GRANARY_TURN_TRAPPED) else { return nil }
        session = StoredSessionID(high: turn.session.0, low: turn.session.1)
        let hasKey = turn.has_key != 0
        key = hasKey ? RequestDigest(low: turn.key.0, high: turn.key.1) : nil
        request = hasKey ? RequestDigest(low: turn.request.0, high: turn.request.1) : nil
    }
}

/// The memory in which a loop notes its turn in progress. Confined to the loop.
struct TurnSlot {
    private let turn: UnsafeMutablePointer<granary_turn>

    fileprivate init(_ turn: UnsafeMutablePointer<granary_turn>) {
        self.turn = turn
    }

    /// Installs the handler by which traps of the calling thread, which is the loop's, flag the turn.
    func watch() {
        granary_watch_traps()
        granary_make_signal_stack()
    }

    /// Sets the key of the request that causes the next turn.
    func setKey(_ key: RequestDigest, _ request: RequestDigest) {
        turn.pointee.key = (key.low, key.high)
        turn.pointee.request = (request.low, request.high)
        turn.pointee.has_key = 1
    }

    func clearKey() {
        turn.pointee.has_key = 0
    }

    /// Notes the beginning of a turn.
    ///
    /// - Returns: The turn that was noted before, for ``end(_:)``: the turn of another session, in which this one runs.
    @inline(__always)
    func begin(_ session: StoredSessionID) -> Outer {
        let outer = Outer(
            isRunning: granary_current_turn() != nil, session: turn.pointee.session, hasKey: turn.pointee.has_key)
        // The key belongs to the session of the outer turn.
        if outer.isRunning { turn.pointee.has_key = 0 }
        turn.pointee.session = (session.high, session.low)
        granary_set_current_turn(turn)
        return outer
    }

    @inline(__always)
    func end(_ outer: Outer) {
        assert(granary_current_turn() != nil, "expected a turn that has begun on this thread")
        if !outer.isRunning { return granary_set_current_turn(nil) }
        turn.pointee.session = outer.session
        turn.pointee.has_key = outer.hasKey
    }

    struct Outer {
        fileprivate let isRunning: Bool
        fileprivate let session: (UInt64, UInt64)
        fileprivate let hasKey: UInt32
    }
}

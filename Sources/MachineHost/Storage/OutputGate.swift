import CombineCore
import HTTPModel

/// What waits until the journal has stored it: nothing that depends on a turn leaves the server before the turn survives.
/// Confined to its loop.
struct OutputGate {
    /// A response that depends on the changes up to a number.
    private struct HeldResponse {
        let sequence: UInt64
        let response: HTTPResponse
        let promise: DeferredResponse
    }

    /// A turn whose change streams may send when it is stored.
    struct HeldTurn {
        let sequence: UInt64
        let session: Session
        /// The version after the turn.
        let version: UInt64
        /// The reason for which the session ended with the turn.
        let endReason: EndReason?
        /// The bytes that it added to the journal.
        let byteCount: Int
        /// The span of the turn; nil if it belongs to no sampled trace.
        let trace: HeldTrace?
    }

    /// The span of a turn that waits for the journal.
    // A class, so that a turn without a trace holds a nil reference only.
    final class HeldTrace {
        /// The span of the turn.
        let context: TraceContext
        /// When it was added to the batch, in nanoseconds since 1970.
        let start: UInt64
        /// Whether the turn has changed outputs.
        let hasChange: Bool

        init(_ context: TraceContext, from start: UInt64, hasChange: Bool) {
            (self.context, self.start, self.hasChange) = (context, start, hasChange)
        }
    }

    /// The number of changes of this loop that are stored.
    private(set) var stored: UInt64 = 0
    /// The bytes of all turns that are not stored.
    private(set) var waitingBytes = 0
    private var responses = Queue<HeldResponse>()
    private var turns = Queue<HeldTurn>()

    /// Whether the continuation of the release is scheduled.
    var isReleaseScheduled = false

    /// Whether something waits for changes that are stored by now.
    var hasStored: Bool {
        turns.first.map { $0.sequence <= stored } ?? false || responses.first.map { $0.sequence <= stored } ?? false
    }

    /// The number of changes of this loop that are stored, and whose turns are released.
    var released: UInt64 { turns.first.map { min(stored, $0.sequence - 1) } ?? stored }

    /// Whether nothing waits.
    var isEmpty: Bool { responses.isEmpty && turns.isEmpty }

    /// Holds a response until a number of changes is stored. Returns its promise.
    mutating func hold(
        _ response: HTTPResponse, until sequence: UInt64, promised promise: DeferredResponse
    ) -> DeferredResponse {
        assert(sequence > stored, "expected a response to a change after \(stored), got \(sequence)")
        responses.append(HeldResponse(sequence: sequence, response: response, promise: promise))
        return promise
    }

    /// Holds the change of a turn.
    mutating func hold(_ turn: HeldTurn) {
        assert(turn.sequence > stored, "expected a change after \(stored), which is stored, got \(turn.sequence)")
        assert(
            turns.first.map { $0.sequence < turn.sequence } ?? true,
            "expected a change after those that wait, got \(turn.sequence)")
        turns.append(turn)
        waitingBytes += turn.byteCount
    }

    /// Notes that changes are stored.
    mutating func advance(to sequence: UInt64) {
        stored = max(stored, sequence)
    }

    /// Removes and returns the next turn that is stored.
    mutating func takeTurn() -> HeldTurn? {
        guard let first = turns.first, first.sequence <= stored else { return nil }
        waitingBytes -= first.byteCount
        assert(
            waitingBytes >= 0 && (waitingBytes == 0 || turns.count > 1),
            "expected the bytes of \(turns.count - 1) turns, got \(waitingBytes)")
        return turns.removeFirst()
    }

    /// Removes and returns the next response whose changes are stored.
    // Responses are held in the order of their requests. One that depends on an older change than the one before it waits
    // a little longer than necessary, which keeps this a queue.
    mutating func takeResponse() -> (HTTPResponse, DeferredResponse)? {
        guard let first = responses.first, first.sequence <= stored, let held = responses.removeFirst() else {
            return nil
        }
        return (held.response, held.promise)
    }
}

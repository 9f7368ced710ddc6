import CombineCore
import HTTPModel

/// The blocks of a session that are ready to run, in order.
///
/// A round of the loop runs blocks that were queued before it began, and only a limited number. Blocks that are added
/// meanwhile wait for a later round, so that other sessions and sockets are served in between. Confined to the
/// session's loop.
struct ReadyQueue {
    /// The maximum number of blocks that one round runs.
    static let blocksPerRound = 64

    struct Block {
        /// The number of turns in a row that led to the block.
        let depth: Int
        /// Whether the block was added outside of a turn, so that its cause is unknown.
        let isForeign: Bool
        let work: Work
    }

    enum Work {
        case block(() -> Void)
        /// A timer without a delay, and the time at which it was due.
        case timer(ScheduledBlock, due: Duration, grid: TimerGrid?)
        /// A turn with the next value of a topic.
        case received
        /// An empty turn that publishes changes made outside of a turn.
        case opening
    }

    private var blocks: [Block?] = []
    private var first = 0
    private var isRunRequested = false
    private var isOpening = false
    private var foreign = ForeignChain()

    var count: Int { blocks.count - first }

    /// Adds a block that a turn of this depth schedules; nil if it was scheduled outside of a turn. Returns whether the
    /// caller must request a run from the loop.
    mutating func append(_ work: Work, by turnDepth: Int?, now: MonotonicTime) -> Bool {
        if case .opening = work {
            // One empty turn publishes everything that was marked before it runs.
            guard !isOpening else { return false }
            isOpening = true
        }
        let depth = (turnDepth ?? foreign.depth(now: now)) + 1
        blocks.append(Block(depth: depth, isForeign: turnDepth == nil, work: work))
        // One request per run, however many blocks are added: each `execute` wakes the loop.
        defer { isRunRequested = true }
        return !isRunRequested
    }

    /// Removes and returns the first block.
    mutating func takeFirst() -> Block? {
        assert(isRunRequested || count == 0, "expected a requested run for \(count) blocks")
        assert(first == blocks.count || blocks[first] != nil, "expected a block at \(first), got one that was taken")
        guard first < blocks.count, let block = blocks[first] else { return nil }
        // Release the closure now. The array is compacted only at the end of the run, and the closure may hold the last
        // reference to large state.
        blocks[first] = nil
        first += 1
        if case .opening = block.work { isOpening = false }
        if block.isForeign { foreign.hasRun(block.depth) }
        return block
    }

    /// Ends a run. Returns whether the caller must request another one.
    mutating func endRun() -> Bool {
        assert(first <= blocks.count, "expected to take at most \(blocks.count) blocks, got \(first)")
        if first == blocks.count {
            blocks.removeAll(keepingCapacity: blocks.count <= ReadyQueue.blocksPerRound)
            first = 0
        } else if 2 * first > blocks.count {
            blocks.removeFirst(first)
            first = 0
        }
        isRunRequested = !blocks.isEmpty
        return isRunRequested
    }

    /// Removes and returns all blocks.
    mutating func removeAll() -> [Block?] {
        // The caller releases them after this method has returned: a `deinit` of a captured object may call back into
        // the queue, which would violate exclusive access.
        let removed = blocks
        blocks = []
        first = 0
        isOpening = false
        return removed
    }
}

/// Estimates how many turns in a row led to a block from another thread.
///
/// The cause of such a block is unknown: a turn whose effect returned immediately, or an external event. So each one
/// counts as a successor of those that had run when it was scheduled, and ten turns are subtracted per millisecond. An
/// external source may thus cause 10,000 turns per second indefinitely, and any number at the same time.
private struct ForeignChain {
    private static let nanosecondsPerTurn: UInt64 = 100_000

    private var last = 0
    private var forgottenUntil = MonotonicTime(nanoseconds: 0)

    /// Returns the estimated number of turns in a row.
    mutating func depth(now: MonotonicTime) -> Int {
        // Without turns to subtract, move the reference time forward. Otherwise a long silence would later excuse an
        // endless chain.
        guard last > 0, now > forgottenUntil else {
            forgottenUntil = max(now, forgottenUntil)
            return last
        }
        let forgotten = (now.nanoseconds - forgottenUntil.nanoseconds) / ForeignChain.nanosecondsPerTurn
        last -= Int(min(forgotten, UInt64(last)))
        forgottenUntil = MonotonicTime(
            nanoseconds: forgottenUntil.nanoseconds + forgotten * ForeignChain.nanosecondsPerTurn)
        return last
    }

    mutating func hasRun(_ depth: Int) {
        last = max(last, depth)
    }
}

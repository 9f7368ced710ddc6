import CombineCore
import HTTPModel

/// The blocks of a session that are to run as soon as possible, in order.
///
/// A round of the loop runs those that were there when it began, and no more than a few: what they add waits for a later
/// round, so that other sessions and sockets get their turn in between. Confined to the session's loop.
struct ReadyQueue {
    /// The most blocks that one round runs.
    static let blocksPerRound = 64

    struct Block {
        /// How many turns in a row have led to this block.
        let depth: Int
        /// Whether the block comes from outside of the loop's turns, so that what has led to it is not known.
        let isForeign: Bool
        let work: Work
    }

    enum Work {
        case block(() -> Void)
        /// A timer without a delay, and when it was due.
        case timer(ScheduledBlock, due: Duration, grid: TimerGrid?)
        /// An empty turn, which shows what was changed outside of one.
        case opening
    }

    private var blocks: [Block?] = []
    private var first = 0
    private var isRunRequested = false
    private var isOpening = false
    private var foreign = ForeignChain()

    var count: Int { blocks.count - first }

    /// Adds a block that a turn of this depth schedules, or `nil` if no turn does. Returns whether the loop has to be asked
    /// for a run.
    mutating func append(_ work: Work, by turnDepth: Int?, now: MonotonicTime) -> Bool {
        if case .opening = work {
            guard !isOpening else { return false }
            isOpening = true
        }
        let depth = (turnDepth ?? foreign.depth(now: now)) + 1
        blocks.append(Block(depth: depth, isForeign: turnDepth == nil, work: work))
        defer { isRunRequested = true }
        return !isRunRequested
    }

    /// Takes the first block out.
    mutating func takeFirst() -> Block? {
        guard first < blocks.count, let block = blocks[first] else { return nil }
        blocks[first] = nil
        first += 1
        if case .opening = block.work { isOpening = false }
        if block.isForeign { foreign.hasRun(block.depth) }
        return block
    }

    /// Ends a run. Returns whether the loop has to be asked for another.
    mutating func endRun() -> Bool {
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

    /// Removes all blocks. They are the caller's to release once it has left the queue, as releasing them may run code.
    mutating func removeAll() -> [Block?] {
        let removed = blocks
        blocks = []
        first = 0
        isOpening = false
        return removed
    }
}

/// Estimates how many turns in a row have led to a block that comes from another thread.
///
/// Its cause is not known: a turn, whose effect has returned at once, or an event from outside. So each one is taken to
/// follow those that had run when it was scheduled, and ten turns are forgotten in each millisecond: a source outside may
/// cause 10,000 turns a second for as long as it likes, and any number of them at once.
private struct ForeignChain {
    private static let nanosecondsPerTurn: UInt64 = 100_000

    private var last = 0
    private var forgottenUntil = MonotonicTime(nanoseconds: 0)

    /// The number of turns in a row that have led here.
    mutating func depth(now: MonotonicTime) -> Int {
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

import MachineHost
import StateCapture

/// The storage of a simulated journal, which outlives the process that uses it.
struct SimulatedDisk {
    /// The content that survives a loss of power.
    private(set) var flushed = JournalContent()
    /// The batches that were written but not flushed, oldest first.
    private(set) var pending: [JournalBatch] = []
    /// The number of commits that were begun.
    var commits = 0
    var faults: JournalFaults
    private var random: SeededGenerator

    init(_ faults: JournalFaults) {
        self.faults = faults
        random = SeededGenerator(seed: faults.seed)
    }

    /// The content that a new process finds.
    var content: JournalContent {
        var content = flushed
        for batch in pending { content.apply(batch) }
        content.recover()
        return content
    }

    mutating func write(_ batch: JournalBatch) {
        pending.append(batch)
    }

    mutating func flush() {
        for batch in pending { flushed.apply(batch) }
        pending.removeAll()
    }

    /// Loses the batch that was written last.
    mutating func discardLast() {
        _ = pending.popLast()
    }

    /// Loses a random number of the last unflushed batches, each as a whole: a driver must recognize an incomplete one.
    mutating func tear() {
        pending.removeSubrange(Int.random(in: 0...pending.count, using: &random)...)
        flush()
    }
}

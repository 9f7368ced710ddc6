public import MachineHost
import StateCapture

/// The faults of a simulated journal.
public struct JournalFaults: Sendable {
    /// A fault during one commit.
    public enum Fault: Sendable, CaseIterable {
        /// The process ends before anything of the batch is written.
        case crashBeforeWriting
        /// The process ends when the batch is written, but not flushed.
        case crashAfterWriting
        /// The process ends when the batch is flushed, but not acknowledged.
        case crashAfterFlushing
        /// The disk is full: nothing of the batch is written, and the commit throws.
        case full
        /// The flush fails and the commit throws. Part of the unflushed data is lost. A commit that does not flush fails to
        /// write, and loses only its own batch.
        case inputOutput
    }

    /// The faults by the number of the commit, which begins with 1 and continues when the journal is reopened.
    public var commits: [Int: Fault] = [:]
    /// The errors with which the next attempts to reopen the journal fail.
    public var openings: [JournalError.Kind] = []
    /// Whether commits return before anything is written, so that a crash loses acknowledged batches. No driver may do this; it
    /// proves that a checker finds the loss.
    public var acknowledgesEarly = false
    /// Determines how much of the unflushed data survives a loss of power.
    public var seed: UInt64

    /// Creates faults: none but the loss of unflushed data.
    public init(seed: UInt64 = 0) {
        self.seed = seed
    }

    /// Returns random faults.
    ///
    /// - Parameters:
    ///   - seed: The same seed gives the same faults.
    ///   - commits: The number of commits among which faults are distributed.
    ///   - interval: The average number of commits from one fault to the next; at least 1.
    public static func random(seed: UInt64, commits: Int, interval: Int) -> JournalFaults {
        var random = SeededGenerator(seed: seed)
        var faults = JournalFaults(seed: random.next())
        for number in 0..<max(0, commits) where Int.random(in: 0..<max(1, interval), using: &random) == 0 {
            faults.commits[number + 1] = Fault.allCases.randomElement(using: &random)
        }
        if Int.random(in: 0..<4, using: &random) == 0 { faults.openings = [.inputOutput] }
        return faults
    }
}

/// The kind of loss when the process that uses a simulated journal ends.
public enum JournalLoss: Sendable, CaseIterable {
    /// The process ends: written data stays.
    case process
    /// The power fails: of the batches that were written and not flushed, only the first ones stay.
    case power
}

/// The error of a simulated journal whose process has ended. A host that receives it must be discarded.
public struct SimulatedCrash: Error, Equatable, Sendable {
    /// Creates the error.
    public init() {}
}

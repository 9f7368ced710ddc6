public import MachineHost

/// The storage of a driver's journals, as the conformance kit sees it.
///
/// A driver's tests implement this once. Each check gets an empty storage.
public protocol JournalStorage: AnyObject {
    /// The abilities of the storage. Checks that need more are skipped.
    var abilities: JournalAbilities { get }

    /// Opens the journal, which is empty at the first call. At most one is open at a time.
    func open() throws -> any Journal

    /// Ends the process that uses a journal, or simulates that: nothing more is written, and the journal is not closed.
    ///
    /// - Parameters:
    ///   - journal: The open journal, which is not used again.
    ///   - loss: With `.power`, some or all of the unflushed data is lost.
    ///   - seed: Determines how much is lost.
    func crash(_ journal: any Journal, loss: JournalLoss, seed: UInt64) throws
}

/// The abilities of a ``JournalStorage``.
public struct JournalAbilities: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Creates abilities from bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Content survives closing: ``JournalStorage/open()`` returns a journal with it.
    public static let reopening = JournalAbilities(rawValue: 1)
    /// ``JournalStorage/crash(_:loss:seed:)`` supports the end of the process.
    public static let processLoss = JournalAbilities(rawValue: 2)
    /// ``JournalStorage/crash(_:loss:seed:)`` supports the loss of power.
    public static let powerLoss = JournalAbilities(rawValue: 4)
    /// Rows are kept in one sequence, so that an old snapshot can block trimming for others.
    public static let blockedTrimming = JournalAbilities(rawValue: 8)
}

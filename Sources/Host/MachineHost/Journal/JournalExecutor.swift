import Dispatch
import HTTPModel

/// The thread on which a ``JournalWriter`` uses its journal.
public protocol JournalExecutor: Sendable {
    /// Runs work later, in the order of the calls. May be called from any thread.
    func execute(_ work: @escaping @Sendable () -> Void)

    /// Runs work after a delay.
    func execute(after delay: Duration, _ work: @escaping @Sendable () -> Void)
}

/// A serial dispatch queue as the writer's thread.
public struct DispatchJournalExecutor: JournalExecutor {
    private let queue: DispatchQueue

    /// Creates an executor with a queue of its own.
    public init() {
        // Clients wait for the writer, so it must not be slower than the loops.
        queue = DispatchQueue(label: "granary.journal", qos: .userInitiated)
    }

    /// Runs work on the queue.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Runs work on the queue after a delay.
    public func execute(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        let nanoseconds = Int(clamping: max(0, delay.wholeNanoseconds))
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: work)
    }
}

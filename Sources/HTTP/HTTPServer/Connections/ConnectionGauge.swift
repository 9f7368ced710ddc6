import Synchronization

/// The number of connections of a server, on all of its loops.
///
/// A loop that still accepts connections counts as one, so that the count reaches zero only once all loops drain and the last
/// connection is closed.
final class ConnectionGauge: Sendable {
    private let count: Atomic<Int>
    private let loopCount: Int
    private let limit: Int
    private let hasSuccessor = Atomic(false)
    private let emptied: @Sendable () -> Void

    /// Creates a gauge for loops that accept connections.
    ///
    /// - Parameter emptied: Called once, when the count reaches zero, on the thread that causes it.
    init(loops: Int, limit: Int, emptied: @escaping @Sendable () -> Void) {
        count = Atomic(loops)
        loopCount = loops
        self.limit = limit
        self.emptied = emptied
    }

    /// The number of connections. While loops drain, it is too low by the number of draining loops.
    var connections: Int { count.load(ordering: .relaxed) - loopCount }

    /// Whether connections that wait to be accepted are left to a successor.
    var leavesWaiting: Bool { hasSuccessor.load(ordering: .relaxed) }

    /// Leaves connections that wait to be accepted to a successor from now on, on all loops. Each loop drains in one of its next rounds
    /// only, and would accept them until then.
    func leaveWaiting() { hasSuccessor.store(true, ordering: .relaxed) }

    /// Counts a connection; returns whether it is within the limit.
    func enter() -> Bool {
        // Relaxed: the limit is a bound on memory, not an order of events.
        count.wrappingAdd(1, ordering: .relaxed).newValue - loopCount <= limit
    }

    /// Stops counting a connection, or a loop that drains.
    func leave() {
        // Only one thread sees the zero, so `emptied` is called once, after all work of the connections.
        if count.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue == 0 { emptied() }
    }
}

import Synchronization

/// How many connections a server has, on all of its loops. A loop that still takes connections counts as one, so that
/// the gauge comes to nothing only once all of them drain and the last connection has gone.
final class ConnectionGauge: Sendable {
    private let count: Atomic<Int>
    private let loopCount: Int
    private let limit: Int
    private let emptied: @Sendable () -> Void

    /// A gauge that calls once when it has come to nothing, from whatever thread that happens on.
    init(loops: Int, limit: Int, emptied: @escaping @Sendable () -> Void) {
        count = Atomic(loops)
        loopCount = loops
        self.limit = limit
        self.emptied = emptied
    }

    /// How many connections there are; loops that drain make it smaller.
    var connections: Int { count.load(ordering: .relaxed) - loopCount }

    /// Counts a connection in; answers whether it is within the limit.
    func enter() -> Bool {
        count.wrappingAdd(1, ordering: .relaxed).newValue - loopCount <= limit
    }

    /// Counts a connection, or a loop that drains, out.
    func leave() {
        if count.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue == 0 { emptied() }
    }
}

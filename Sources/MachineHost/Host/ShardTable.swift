import HTTPModel
import Locking

/// The shards of a host's loops, for combined streams and operators, which need several.
final class ShardTable: Sendable {
    /// How to reach a shard from another loop.
    struct Address: Sendable {
        let loop: any EventLoop
        // Used on the loop only.
        fileprivate let reference: UnsafeTransfer<BackReference>

        /// Runs work on the loop, with the shard; nil if it no longer exists.
        ///
        /// - Parameter source: Whose turn it is; by default the server's, whose work comes first.
        func execute(for source: WorkSource? = nil, _ work: @escaping @Sendable (SessionShard?) -> Void) {
            guard let source else { return loop.execute { [reference] in work(reference.value.shard) } }
            loop.execute(for: source) { [reference] in work(reference.value.shard) }
        }
    }

    // Taken when a combined stream is opened, never for an event.
    private let addresses = Lock<[Int: Address]>([:])

    /// Returns how to reach the shard of a loop; nil if it has none.
    subscript(index: Int) -> Address? { addresses.withLock { $0[index] } }

    /// How to reach all shards, in the order of their loops.
    var all: [Address] { addresses.withLock { $0.values.sorted { $0.loop.index < $1.loop.index } } }

    func add(_ shard: SessionShard) {
        let address = Address(loop: shard.loop, reference: UnsafeTransfer(shard.backReference))
        addresses.withLock { $0[address.loop.index] = address }
    }

    func remove(_ shard: SessionShard) {
        let (index, reference) = (shard.loop.index, shard.backReference)
        addresses.withLock { addresses in
            // A loop of a restarted server has a new shard.
            if addresses[index]?.reference.value === reference { addresses[index] = nil }
        }
    }
}

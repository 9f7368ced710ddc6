import HTTPModel
import Locking

/// The shards of a host's loops, for what concerns several: combined streams, operators, names, and the configuration of access.
final class ShardTable: Sendable {
    struct Address: Sendable {
        let loop: any EventLoop
        // Used on the loop only.
        fileprivate let reference: UnsafeTransfer<BackReference>

        /// Runs work on the loop, with the shard; nil if it no longer exists.
        ///
        /// - Parameter source: The source of the work; by default the server, whose work comes first.
        func execute(for source: WorkSource? = nil, _ work: @escaping @Sendable (SessionShard?) -> Void) {
            guard let source else { return loop.execute { [reference] in work(reference.value.shard) } }
            loop.execute(for: source) { [reference] in work(reference.value.shard) }
        }
    }

    // Taken when a combined stream is opened, never for an event.
    private let addresses = Lock<[Int: Address]>([:])

    /// Returns the address of the shard of a loop; nil if the loop has no shard.
    subscript(index: Int) -> Address? { addresses.withLock { $0[index] } }

    /// The addresses of all shards, in the order of their loops.
    var all: [Address] { addresses.withLock { $0.values.sorted { $0.loop.index < $1.loop.index } } }

    func add(_ shard: BackReference, on loop: any EventLoop) {
        let address = Address(loop: loop, reference: UnsafeTransfer(shard))
        addresses.withLock { $0[loop.index] = address }
    }

    func remove(_ shard: BackReference, on loop: any EventLoop) {
        addresses.withLock { addresses in
            // A loop of a restarted server has a new shard.
            if addresses[loop.index]?.reference.value === shard { addresses[loop.index] = nil }
        }
    }
}

/// What the connections of a loop have to send at the end of its round. Confined to the loop.
///
/// To send it all in a row, when every request of the round has been answered and every turn is over, costs less than to
/// send each answer at once: the kernel's way of a packet stays in the processor's caches, and a peer that is woken by the
/// first of them finds more to do before it sleeps again.
final class Outbox {
    private struct Item {
        let connection: Connection
        let end: Int
    }

    /// Sent at once when there is more than this, so that it does not grow with what is sent.
    private static let capacity = 256 << 10

    @exclusivity(unchecked) private var bytes: [UInt8] = []
    @exclusivity(unchecked) private var items: ContiguousArray<Item> = []

    /// Adds a connection's bytes, behind those that it has in here.
    func append(_ output: [UInt8], of connection: Connection) {
        bytes.append(contentsOf: output)
        items.append(Item(connection: connection, end: bytes.count))
        if bytes.count > Outbox.capacity { send() }
    }

    /// Has every connection send what it has in here, in the order in which it came.
    func send() {
        guard !items.isEmpty else { return }
        var (sent, senders): ([UInt8], ContiguousArray<Item>) = ([], [])
        // A connection that cannot be sent to is closed, and may ask for this once more.
        swap(&sent, &bytes)
        swap(&senders, &items)
        var start = 0
        sent.withUnsafeBytes { bytes in
            for item in senders {
                item.connection.sendPosted(UnsafeRawBufferPointer(rebasing: bytes[start..<item.end]))
                start = item.end
            }
        }
        guard items.isEmpty, sent.capacity <= 2 * Outbox.capacity else { return }
        sent.removeAll(keepingCapacity: true)
        senders.removeAll(keepingCapacity: true)
        swap(&sent, &bytes)
        swap(&senders, &items)
    }
}

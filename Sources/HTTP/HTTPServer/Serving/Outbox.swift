import HTTPModel

/// The bytes that the connections of a loop send at the end of its round. Confined to the loop.
///
/// Sending all bytes together, after all requests of the round have been processed and all turns have ended, is cheaper
/// than sending each response immediately: the kernel's send path stays in the processor's caches, and a peer that is
/// woken by the first bytes finds more work before it sleeps again.
final class Outbox {
    private struct Item {
        let connection: Connection
        let end: Int
    }

    /// Beyond this size the bytes are sent immediately, so that the buffer does not grow with the amount of output.
    private static let capacity = 256 << 10

    @exclusivity(unchecked) private var bytes: [UInt8] = []
    @exclusivity(unchecked) private var items: ContiguousArray<Item> = []

    /// Appends bytes of a connection, after its earlier ones, and empties their buffer.
    func append(_ output: inout [UInt8], of connection: Connection) {
        guard !output.isEmpty else { return }
        connection.transport.isPosted = true
        bytes.append(copyOf: output)
        output.removeAll(keepingCapacity: true)
        items.append(Item(connection: connection, end: bytes.count))
        if bytes.count > Outbox.capacity { send() }
    }

    /// Lets every connection send its bytes, in the order in which they were appended.
    func send() {
        guard !items.isEmpty else { return }
        var (sent, senders): ([UInt8], ContiguousArray<Item>) = ([], [])
        // Swapped out first: a connection whose send fails is closed, which calls this method again.
        swap(&sent, &bytes)
        swap(&senders, &items)
        var start = 0
        sent.withUnsafeBytes { bytes in
            for item in senders {
                item.connection.sendPosted(UnsafeRawBufferPointer(rebasing: bytes[start..<item.end]))
                start = item.end
            }
        }
        // Memory is reused, unless a single large response has made it grow.
        // A callback may have appended again; then the new buffers are in use.
        guard items.isEmpty, sent.capacity <= 2 * Outbox.capacity else { return }
        sent.removeAll(keepingCapacity: true)
        senders.removeAll(keepingCapacity: true)
        swap(&sent, &bytes)
        swap(&senders, &items)
    }
}

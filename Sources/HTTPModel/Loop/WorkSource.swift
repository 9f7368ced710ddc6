/// Whose work takes turns with that of others: a connection, or the client on whose behalf a trusted proxy sends requests.
public struct WorkSource: Hashable, Sendable {
    private let bits: UInt

    /// The server's own work.
    package static let server = WorkSource(bits: 0)

    private init(bits: UInt) { self.bits = bits }

    /// Creates the source of the requests of a peer, which must exist as long as their work.
    package init(_ peer: HTTPPeer) {
        guard let proxy = peer.proxy else {
            bits = UInt(bitPattern: ObjectIdentifier(peer))
            return
        }
        // The clients of a proxy share its connections. A client of its own machine has no address that identifies it.
        guard let client = peer.limitedClient else {
            bits = UInt(bitPattern: ObjectIdentifier(proxy))
            return
        }
        bits = UInt(truncatingIfNeeded: client.bits ^ client.bits >> 64)
    }
}

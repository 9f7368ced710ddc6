/// Whose work takes turns with that of others: a connection, or the client on whose behalf a trusted proxy sends requests.
public struct WorkSource: Hashable, Sendable {
    private let bits: UInt

    /// The server's own work.
    // Neither an object nor a client; all unknown clients are 0.
    package static let server = WorkSource(bits: .max)

    private init(bits: UInt) { self.bits = bits }

    /// Creates the source of the requests of a peer, which must exist as long as their work.
    package init(_ peer: HTTPPeer) {
        // The clients of a proxy share its connections.
        guard peer.proxy != nil, let client = peer.limitedClient else {
            bits = UInt(bitPattern: ObjectIdentifier(peer))
            return
        }
        bits = UInt(truncatingIfNeeded: client.bits ^ client.bits >> 64)
    }
}

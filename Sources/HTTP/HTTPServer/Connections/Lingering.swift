/// The end of a connection after its last response. The server closes its sending side when all bytes are sent, and
/// then reads and discards input for a limited time (RFC 9112 §9.6).
struct Lingering: Equatable {
    // If both sides are closed while the peer still sends, the kernel responds with a reset, and the peer's kernel then
    // discards the response before the peer has read it.

    /// The number of bytes that are discarded before a peer that does not stop sending is cut off.
    static let discardLimit = 1 << 20

    /// Whether the server has closed its sending side.
    private(set) var hasFinishedSending = false
    private var discardedBytes = 0

    /// Records that all bytes are sent. Returns whether the sending side must be closed now; `false` if it is already
    /// closed.
    mutating func outputWasSent() -> Bool {
        defer { hasFinishedSending = true }
        return !hasFinishedSending
    }

    /// Records that bytes of the peer were discarded. Returns whether the peer may send more.
    mutating func discarded(_ count: Int) -> Bool {
        discardedBytes += count
        return discardedBytes <= Lingering.discardLimit
    }
}

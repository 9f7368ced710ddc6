/// The end of a connection whose last response has been given: the server closes its sending side once everything is sent,
/// then reads and discards for a while (RFC 9112 §9.6).
struct Lingering: Equatable {
    // Closing both sides while the peer still sends makes the kernel answer with a reset, upon which the peer's kernel
    // discards the response that the peer has not read yet.

    /// The number of bytes that are discarded before a peer that does not stop sending is cut off.
    static let discardLimit = 1 << 20

    /// Whether the server has closed its sending side.
    private(set) var hasFinishedSending = false
    private var discardedBytes = 0

    /// Everything is sent. Returns whether the sending side is to be closed now; `false` if it is closed.
    mutating func outputWasSent() -> Bool {
        defer { hasFinishedSending = true }
        return !hasFinishedSending
    }

    /// Bytes of the peer were discarded. Returns whether the peer may go on.
    mutating func discarded(_ count: Int) -> Bool {
        discardedBytes += count
        return discardedBytes <= Lingering.discardLimit
    }
}

import CLinux

/// The result of the last check of a peer's acknowledgements.
struct AcknowledgedProgress {
    /// The time of the check. The check belongs to the current wait if it is not earlier than the start of the wait.
    var checkedAt: UInt64 = 0
    /// The number of bytes that the peer had acknowledged at that time.
    var acknowledged: UInt64 = 0
    /// The time of the next check. By then, the peer must have acknowledged more bytes.
    var nextCheck: UInt64 = 0
}

/// The kernel's information about the bytes that a peer has acknowledged.
struct PeerProgress {
    /// Whether the peer has not acknowledged all bytes that the kernel accepted.
    let hasOutstandingBytes: Bool
    /// The number of bytes that the peer has acknowledged since the connection was established.
    let acknowledged: UInt64

    init(hasOutstandingBytes: Bool, acknowledged: UInt64) {
        self.hasOutstandingBytes = hasOutstandingBytes
        self.acknowledged = acknowledged
    }

    /// Queries the kernel. Returns `nil` for sockets other than TCP sockets.
    init?(of descriptor: Int32) {
        var seen = granary_peer_progress()
        guard granary_get_peer_progress(descriptor, &seen) == 0 else { return nil }
        self.init(hasOutstandingBytes: seen.outstanding > 0, acknowledged: seen.acknowledged)
    }
}

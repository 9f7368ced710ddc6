import CLinux

/// What the last check of a peer's acknowledgements showed.
struct AcknowledgedProgress {
    /// The time of the check. It belongs to the present wait if it is not before its start.
    var checkedAt: UInt64 = 0
    /// The bytes that the peer had acknowledged then.
    var acknowledged: UInt64 = 0
    /// The time of the next check, by which the peer has to have acknowledged more.
    var nextCheck: UInt64 = 0
}

/// The kernel's account of what a peer has acknowledged.
struct PeerProgress {
    /// Whether the peer has not acknowledged all bytes that the kernel accepted.
    let hasOutstandingBytes: Bool
    /// The bytes that the peer has acknowledged since the connection was made.
    let acknowledged: UInt64

    init(hasOutstandingBytes: Bool, acknowledged: UInt64) {
        self.hasOutstandingBytes = hasOutstandingBytes
        self.acknowledged = acknowledged
    }

    /// Asks the kernel; `nil` for sockets that are not TCP's.
    init?(of descriptor: Int32) {
        var seen = granary_peer_progress()
        guard granary_get_peer_progress(descriptor, &seen) == 0 else { return nil }
        self.init(hasOutstandingBytes: seen.outstanding > 0, acknowledged: seen.acknowledged)
    }
}

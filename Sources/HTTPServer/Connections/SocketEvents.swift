import CLinux

/// The events that an epoll set reports for a socket.
struct SocketEvents: OptionSet {
    let rawValue: UInt32

    static var readable: SocketEvents { SocketEvents(rawValue: granary_readable) }
    /// The socket accepts bytes again.
    static var writable: SocketEvents { SocketEvents(rawValue: granary_writable) }
    /// The peer closed its sending side.
    static var peerFinished: SocketEvents { SocketEvents(rawValue: granary_peer_finished) }
    /// Both sides are closed.
    static var hungUp: SocketEvents { SocketEvents(rawValue: granary_hung_up) }
    /// The socket has an error, a reset for example.
    static var failed: SocketEvents { SocketEvents(rawValue: granary_failed) }
    /// Urgent data arrived.
    static var urgent: SocketEvents { SocketEvents(rawValue: granary_urgent) }
}

/// What edge-triggered events have reported about a socket so far.
///
/// The kernel reports each edge once, so these facts are kept until a read shows that they no longer hold.
struct SocketReadiness: OptionSet {
    let rawValue: UInt8

    /// A read may return bytes, or the end of the stream.
    static let canRead = SocketReadiness(rawValue: 1 << 0)
    /// The peer sends no more bytes after those that the kernel holds. It may still read.
    static let peerFinished = SocketReadiness(rawValue: 1 << 1)
    /// The peer does not read any more either.
    static let hungUp = SocketReadiness(rawValue: 1 << 2)
    /// Urgent data arrived.
    static let urgent = SocketReadiness(rawValue: 1 << 3)
    /// Everything that the peer sent has been read. Only HTTP/2 goes on after that; see ``MultiplexedConnection``.
    static let inputEnded = SocketReadiness(rawValue: 1 << 4)

    /// Adds the facts that these events report.
    mutating func note(_ events: SocketEvents) {
        if events.contains(.readable) { insert(.canRead) }
        if events.contains(.urgent) { formUnion([.urgent, .canRead]) }
        if !events.isDisjoint(with: [.peerFinished, .hungUp]) { formUnion([.peerFinished, .canRead]) }
        if events.contains(.hungUp) { insert(.hungUp) }
    }

    /// A read returned fewer bytes than there was room for, so the next byte is a new edge.
    mutating func inputWasExhausted() {
        // The end of the stream is an edge of its own, and it may have been reported already: the read that returns 0 is
        // still to come. A read also stops in front of urgent data, so a short one does not show that the socket is empty.
        if isDisjoint(with: [.peerFinished, .urgent]) { remove(.canRead) }
    }
}

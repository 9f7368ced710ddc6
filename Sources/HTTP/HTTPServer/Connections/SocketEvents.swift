import CLinux

/// The events that an epoll set reports for a socket.
struct SocketEvents: OptionSet {
    let rawValue: UInt32

    static var readable: SocketEvents { SocketEvents(rawValue: granary_readable) }
    /// The peer closed its sending side.
    static var peerFinished: SocketEvents { SocketEvents(rawValue: granary_peer_finished) }
    /// Both sides are closed.
    static var hungUp: SocketEvents { SocketEvents(rawValue: granary_hung_up) }
    /// The socket has failed, for example with a reset.
    static var failed: SocketEvents { SocketEvents(rawValue: granary_failed) }
    /// Urgent data arrived.
    static var urgent: SocketEvents { SocketEvents(rawValue: granary_urgent) }
}

/// The state of a socket according to the edge-triggered events so far.
///
/// The kernel reports each edge once, so these facts are kept until a read shows that they no longer hold.
struct SocketReadiness: OptionSet {
    let rawValue: UInt8

    /// A read may return bytes, or the end of the stream.
    static let canRead = SocketReadiness(rawValue: 1 << 0)
    /// The peer sends no bytes after those in the kernel's buffer. It may still read.
    static let peerFinished = SocketReadiness(rawValue: 1 << 1)
    /// The peer does not read any more, either.
    static let hungUp = SocketReadiness(rawValue: 1 << 2)
    /// Urgent data arrived.
    static let urgent = SocketReadiness(rawValue: 1 << 3)
    /// All bytes of the peer have been read. Only HTTP/2 connections continue after that; see
    /// ``MultiplexedConnection``.
    static let inputEnded = SocketReadiness(rawValue: 1 << 4)

    /// Adds the facts that these events report.
    mutating func note(_ events: SocketEvents) {
        if events.contains(.readable) { insert(.canRead) }
        if events.contains(.urgent) { formUnion([.urgent, .canRead]) }
        if !events.isDisjoint(with: [.peerFinished, .hungUp]) { formUnion([.peerFinished, .canRead]) }
        if events.contains(.hungUp) { insert(.hungUp) }
    }

    /// Records that a read returned fewer bytes than the buffer could hold, so that the next byte causes a new edge.
    mutating func inputWasExhausted() {
        // The end of the stream is a separate edge, which may have been reported already although the read that returns
        // 0 is still outstanding. A read also stops before urgent data, so a short read does not prove that the socket
        // is empty.
        if isDisjoint(with: [.peerFinished, .urgent]) { remove(.canRead) }
    }
}

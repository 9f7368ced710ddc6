import CLinux
import Glibc

/// The bytes that a socket has not accepted yet.
///
/// Empty as long as the peer reads: responses are written to the loop's buffer and sent from there. Only bytes that the
/// socket does not accept are copied.
struct UnsentBytes {
    /// The outcome of sending to a non-blocking socket.
    enum Outcome {
        /// The socket accepted all bytes, and there were no unsent bytes before.
        case sent
        /// The socket accepted all unsent bytes and all new ones.
        case drained
        /// The socket accepted some of the unsent bytes.
        case advanced
        /// The socket is full. The bytes that it did not accept are stored.
        case blocked
        case failed
    }

    /// Whether the loop reports when the socket accepts bytes again.
    private(set) var isWatched = false
    private var bytes: [UInt8] = []
    private var start = 0

    @inline(__always)
    var isEmpty: Bool { bytes.isEmpty }

    mutating func send(_ new: UnsafeRawBufferPointer, to descriptor: Int32) -> Outcome {
        guard bytes.isEmpty else {
            bytes.append(contentsOf: new)
            return sendRest(to: descriptor)
        }
        let sent = granary_send(descriptor, new.baseAddress, new.count)
        if sent == new.count { return .sent }
        guard sent >= 0 || sent == -Int(EAGAIN) else { return .failed }
        bytes = Array(UnsafeRawBufferPointer(rebasing: new[max(0, sent)...]))
        start = 0
        return .blocked
    }

    mutating func sendRest(to descriptor: Int32) -> Outcome {
        let start = start
        let sent = bytes.withUnsafeBytes { bytes in
            granary_send(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
        }
        if sent == -Int(EAGAIN) { return .blocked }
        guard sent >= 0 else { return .failed }
        self.start += sent
        guard self.start == bytes.count else { return .advanced }
        removeAll()
        return .drained
    }

    mutating func removeAll() {
        // A new array instead of `removeAll(keepingCapacity:)`, because an idle connection must hold no buffers.
        bytes = []
        start = 0
    }

    /// Records that the loop must report when the socket accepts bytes again. Returns whether this is a change.
    mutating func watch() -> Bool {
        // Never reset: a connection that was slow once will probably be slow again. Without a full socket there is no
        // edge to report, so watching costs nothing.
        defer { isWatched = true }
        return !isWatched
    }

    /// Records that the socket has moved to an epoll set that watches for writing only if there are unsent bytes.
    mutating func resetWatching() { isWatched = !isEmpty }
}

import CLinux
import Glibc

/// The bytes that a socket has not accepted yet.
///
/// Empty as long as the peer reads: responses are written to the loop's buffer and sent from there. Only what the socket does not
/// accept is copied.
struct UnsentBytes {
    /// The outcome of sending to a socket that does not block.
    enum Outcome {
        /// The socket accepted all bytes, and none were left from before.
        case sent
        /// The socket accepted the bytes that were left from before, and all new ones.
        case drained
        /// The socket accepted some of the bytes that were left from before.
        case advanced
        /// The socket is full. The bytes that it did not accept are kept.
        case blocked
        /// The socket has failed.
        case failed
    }

    /// Whether the loop reports when the socket accepts bytes again.
    private(set) var isWatched = false
    private var bytes: [UInt8] = []
    private var start = 0

    @inline(__always)
    var isEmpty: Bool { bytes.isEmpty }

    /// Sends bytes, behind those that are left from before.
    mutating func send(_ new: UnsafeRawBufferPointer, to descriptor: Int32) -> Outcome {
        guard bytes.isEmpty else {
            bytes.append(contentsOf: new)
            return sendRest(to: descriptor)
        }
        let sent = granary_send(descriptor, new.baseAddress, new.count)
        if sent == new.count { return .sent }
        guard sent >= 0 || sent == -Int(EAGAIN) else { return .failed }
        bytes = Array(new[max(0, sent)...])
        start = 0
        return .blocked
    }

    /// Sends the bytes that are left from before.
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
        // A new array, not `removeAll(keepingCapacity:)`: a connection at rest holds no buffers.
        bytes = []
        start = 0
    }

    /// Notes that the loop is to report when the socket accepts bytes again. Returns whether it did not do so before.
    mutating func watch() -> Bool {
        // Never taken back: a connection that was slow once will be again, and without a full socket there is no edge to
        // report, so watching costs nothing.
        defer { isWatched = true }
        return !isWatched
    }

    /// The socket moved to an epoll set that watches for writing only if bytes are left.
    mutating func resetWatching() { isWatched = !isEmpty }
}

import Dispatch
import Glibc
import Locking

/// Writes text to a descriptor on a separate thread, so that logging never waits for a reader.
///
/// No failure of the descriptor traps or reaches the caller: because of a closed pipe, a full disk, a closed descriptor
/// or a stalled reader, text is only dropped. The amount of buffered text is bounded. All methods may be called on any
/// thread. The process must ignore SIGPIPE.
public final class OutputWriter: Sendable {
    /// The default buffer size in bytes.
    public static let defaultCapacity = 1 << 20

    /// The maximum number of bytes of one `write`. Up to this size a write to a pipe is atomic (PIPE_BUF in POSIX), so
    /// that the lines of two processes that share a pipe do not mix.
    private static let chunk = 4096

    private struct State: Sendable {
        var buffer: OutputBuffer
        /// The error of the first write that failed.
        var error: Int32?
    }

    private let descriptor: Int32
    private let state: Lock<State>
    private let queue = DispatchQueue(label: "granary.output")

    /// Creates a writer for a descriptor, which still belongs to the caller.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, blocking or not.
    ///   - capacity: The buffer size in bytes. Lines that do not fit are dropped.
    ///   - report: Returns the line, including its newline, that reports a number of dropped lines.
    public init(
        descriptor: Int32, capacity: Int = OutputWriter.defaultCapacity,
        report: @escaping @Sendable (_ dropped: Int) -> String = { "\($0) lines were dropped.\n" }
    ) {
        self.descriptor = descriptor
        state = Lock(State(buffer: OutputBuffer(capacity: capacity) { Array(report($0).utf8) }))
    }

    /// Queues text, which should end with a newline, and returns without waiting.
    public func write(_ text: String) {
        let line = Array(text.utf8)
        guard state.withLock({ $0.buffer.append(line) }) == .startWriting else { return }
        queue.async { [self] in writeNextBatch() }
    }

    /// Waits until all queued text has been written or dropped, at most for the given time.
    ///
    /// - Returns: Whether all text was handled within the time.
    @discardableResult
    public func flush(within limit: Duration) -> Bool {
        let parts = limit.components
        let wait = DispatchTimeInterval.nanoseconds(
            Int(clamping: parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000))
        let finished = DispatchSemaphore(value: 0)
        // Two passes through the queue: after the batch that is being written, and after the one that takes the text
        // queued now.
        queue.async { [queue] in queue.async { finished.signal() } }
        return finished.wait(timeout: .now() + wait) == .success
    }

    /// The error number of the first write that failed, or `nil` if every write succeeded.
    public var error: Int32? { state.withLock(\.error) }

    private func writeNextBatch() {
        // One batch per block, so that the blocks of `flush(within:)` can run in between.
        guard let bytes = state.withLock({ $0.buffer.take() }) else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(OutputWriter.length(ofNextPieceOf: rest))
            if let error = write(piece) {
                let lines = rest.count { $0 == UInt8(ascii: "\n") }
                state.withLock { state in
                    state.buffer.failed(lines: max(1, lines))
                    state.error = state.error ?? error
                }
                break
            }
            rest = rest.dropFirst(piece.count)
        }
        queue.async { [self] in writeNextBatch() }
    }

    /// Returns the length of the next piece: as many whole lines as fit into an atomic write, or a part of a longer line.
    private static func length(ofNextPieceOf bytes: ArraySlice<UInt8>) -> Int {
        guard bytes.count > chunk else { return bytes.count }
        let piece = bytes.prefix(chunk)
        return piece.lastIndex(of: UInt8(ascii: "\n")).map { $0 - bytes.startIndex + 1 } ?? chunk
    }

    /// Writes all bytes, waiting as long as necessary; returns the error that prevents it.
    private func write(_ bytes: ArraySlice<UInt8>) -> Int32? {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if written > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
                    state.withLock { $0.buffer.wrote(written) }
                } else if written == 0 {
                    return EIO
                } else if errno == EAGAIN {
                    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&entry, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return nil
        }
    }
}

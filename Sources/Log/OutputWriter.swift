import Dispatch
import Glibc
import Locking

/// Writes text to a descriptor from a thread of its own, so that nobody who prints waits for whoever reads.
///
/// Nothing that can happen to the descriptor traps or reaches the caller: a pipe whose reader is gone, a full disk, a
/// closed descriptor and a reader that has stalled only cost the text, of which a bounded number of bytes waits. Any thread
/// may call any method. The process must ignore SIGPIPE.
public final class OutputWriter: Sendable {
    /// The number of bytes that may wait by default.
    public static let defaultCapacity = 1 << 20

    /// The most bytes of one `write`. Up to this number a pipe takes a write as a whole (POSIX calls it PIPE_BUF), so that
    /// lines of two processes that share a pipe do not mix.
    private static let chunk = 4096

    private struct State: Sendable {
        var buffer: OutputBuffer
        /// The error of the first write that failed.
        var error: Int32?
    }

    private let descriptor: Int32
    private let state: Lock<State>
    private let queue = DispatchQueue(label: "granary.output")

    /// A writer to that descriptor, which stays the caller's.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, blocking or not.
    ///   - capacity: The number of bytes that may wait. A line that does not fit is dropped.
    ///   - report: Returns the line, newline included, that reports this number of dropped lines.
    public init(
        descriptor: Int32, capacity: Int = OutputWriter.defaultCapacity,
        report: @escaping @Sendable (_ dropped: Int) -> String = { "\($0) lines were dropped here.\n" }
    ) {
        self.descriptor = descriptor
        state = Lock(State(buffer: OutputBuffer(capacity: capacity) { Array(report($0).utf8) }))
    }

    /// Adds a text, which should end in a newline, to what is to be written, and returns without waiting.
    public func write(_ text: String) {
        let line = Array(text.utf8)
        guard state.withLock({ $0.buffer.append(line) }) == .startWriting else { return }
        queue.async { [self] in writeNextBatch() }
    }

    /// Waits until everything that was added before has been written or lost, but no longer than the given time.
    ///
    /// - Returns: Whether it was not longer.
    @discardableResult
    public func flush(within limit: Duration) -> Bool {
        let parts = limit.components
        let wait = DispatchTimeInterval.nanoseconds(
            Int(clamping: parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000))
        let finished = DispatchSemaphore(value: 0)
        // Two turns of the queue: behind the batch that is being written, and behind the one that takes what waits now.
        queue.async { [queue] in queue.async { finished.signal() } }
        return finished.wait(timeout: .now() + wait) == .success
    }

    /// The number of the first error that a write met; `nil` if every write succeeded.
    public var error: Int32? { state.withLock(\.error) }

    private func writeNextBatch() {
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

    /// As many whole lines as one write takes as a whole, or a part of a line that is longer.
    private static func length(ofNextPieceOf bytes: ArraySlice<UInt8>) -> Int {
        guard bytes.count > chunk else { return bytes.count }
        let piece = bytes.prefix(chunk)
        return piece.lastIndex(of: UInt8(ascii: "\n")).map { $0 - bytes.startIndex + 1 } ?? chunk
    }

    /// Writes all of the bytes, however long it takes; returns the error that prevents it.
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

import Glibc
import Locking
import MachineHost

/// How long a journal waits for its engine before it reports that, and whether it still waits at all. May be used on any thread.
///
/// A call of the journal waits as long as it takes: what is waiting to be stored must not be dropped, because the engine may have stored
/// it already. The host stops waiting before, for its clients.
public final class EngineWait: Sendable {
    private enum State {
        case idle
        case waiting(deadline: UInt64)
        case reported
    }

    /// The time after which a call that waits is reported.
    let limit: Duration
    private let report: @Sendable (String?) -> Void
    private let state = Lock(State.idle)
    /// The ends of a pipe, which can be read once the journal should not wait any more.
    private let pipe: (read: Int32, write: Int32)

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - limit: The time after which a call that waits is reported.
    ///   - report: Receives the reason, as a clause, on the journal's thread; nil when the engine performs calls again.
    public init(limit: Duration, report: @escaping @Sendable (String?) -> Void = { _ in }) {
        self.limit = limit
        self.report = report
        var ends: [Int32] = [-1, -1]
        // Without descriptors, nothing else works either: then the journal waits until the process ends.
        _ = Glibc.pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        pipe = (ends[0], ends[1])
    }

    deinit {
        close(pipe.read)
        close(pipe.write)
    }

    /// Ends all waiting, also that of later calls: a call that has to wait throws. Not more than a server that shuts down can do while
    /// its engine is unavailable.
    public func abandon() {
        var byte: UInt8 = 1
        write(pipe.write, &byte, 1)
    }

    /// Begins a call, unless one has begun.
    func begin() {
        state.withLock { state in
            if case .idle = state { state = .waiting(deadline: EngineWait.now + UInt64(limit.milliseconds)) }
        }
    }

    /// Ends a call that the engine has performed.
    func succeed() {
        let wasReported = state.withLock { state in
            defer { state = .idle }
            if case .reported = state { return true }
            return false
        }
        if wasReported { report(nil) }
    }

    /// Whether the call that has begun has waited for the whole time.
    var isExhausted: Bool {
        switch state.withLock({ $0 }) {
        case .idle: false
        case .waiting(let deadline): EngineWait.now >= deadline
        case .reported: true
        }
    }

    /// Waits until a socket is ready, or for a time. Reports the reason if that takes too long.
    ///
    /// - Parameters:
    ///   - socket: The descriptor of the socket, and what it must be ready for; nil to wait for the time only.
    ///   - limit: The time; nil to wait for the socket only.
    ///   - reason: Why a call waits.
    /// - Throws: `JournalError` if the journal should not wait any more.
    func wait(for socket: (descriptor: Int32, events: Int32)?, upTo limit: Duration? = nil, _ reason: () -> String)
        throws
    {
        let end = limit.map { EngineWait.now + UInt64($0.milliseconds) }
        while true {
            var left: UInt64? = end.map { $0 > EngineWait.now ? $0 - EngineWait.now : 0 }
            if case .waiting(let deadline) = state.withLock({ $0 }) {
                let now = EngineWait.now
                if now >= deadline {
                    state.withLock { $0 = .reported }
                    report(reason())
                } else {
                    left = min(left ?? .max, deadline - now)
                }
            }
            var entries = (
                pollfd(fd: pipe.read, events: Int16(POLLIN), revents: 0),
                pollfd(fd: socket?.descriptor ?? -1, events: Int16(socket?.events ?? 0), revents: 0)
            )
            // Rounded up, so that the time has passed when it returns.
            let timeout = left.map { Int32(clamping: $0 + 1) } ?? -1
            let ready = withUnsafeMutableBytes(of: &entries) {
                poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 2, timeout)
            }
            guard entries.0.revents == 0 else {
                throw JournalError(.closed, "expected to wait for the engine, but the server ends; \(reason())")
            }
            if ready > 0 { return }
            if let end, EngineWait.now >= end { return }
        }
    }

    /// The uptime in milliseconds.
    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
    }
}

extension Duration {
    /// The whole milliseconds.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}

import Dispatch
import Glibc
import Synchronization

/// The signals that request a shutdown: SIGTERM from a supervisor and SIGINT from a terminal.
///
/// The first signal requests a clean shutdown. The second one exits immediately, with the status that shells report for
/// a signal.
public final class ShutdownSignals {
    private let requests: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let sources: [any DispatchSourceSignal]

    /// Starts to handle the signals, and ignores SIGPIPE, so that writing to a closed connection or pipe returns an
    /// error instead of terminating the process.
    ///
    /// - Parameter ignored: Other signals to ignore. Their default action would terminate the process before the
    ///   program handles them.
    public init(ignoring ignored: [Int32] = []) {
        (requests, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        for number in [SIGPIPE] + ignored { SignalHandling.ignoreByDefault(number) }
        let queue = DispatchQueue(label: "granary.signals")
        let count = SignalCount()
        sources = [SIGTERM, SIGINT].map { [continuation] number in
            SignalHandling.begin(number, on: queue) {
                if count.next() > 1 { ProcessExit.exit(128 + number) }
                continuation.yield()
            }
        }
    }

    /// A closure that requests a shutdown without a signal. The next signal still counts as the first one.
    public var requestShutdown: @Sendable () -> Void {
        { [continuation] in continuation.yield() }
    }

    /// Waits for the first request.
    public func wait() async {
        for await _ in requests { return }
    }
}

/// The number of signals that have arrived.
private final class SignalCount: Sendable {
    private let count = Atomic(0)

    func next() -> Int {
        count.add(1, ordering: .relaxed).newValue
    }
}

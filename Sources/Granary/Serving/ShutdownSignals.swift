import Dispatch
import Glibc
import Synchronization

/// The signals that ask the process to end: SIGTERM from a supervisor, SIGINT from a terminal; and what else ends it.
///
/// The first one asks for a clean end; who sends a second one does not want to wait, and gets the status that shells
/// know for it.
final class ShutdownSignals {
    private let arrivals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let sources: [any DispatchSourceSignal]

    /// Takes the signals from now on. SIGPIPE is ignored: a peer or a pipe that has gone is an error of one write. So is
    /// SIGUSR2, until there is a server to take over from.
    init() {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        self.arrivals = arrivals
        self.continuation = continuation
        let queue = DispatchQueue(label: "granary.signals")
        let count = SignalCount()
        signal(SIGPIPE, SIG_IGN)
        signal(SIGUSR2, SIG_IGN)
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if count.next() > 1 { ProcessEnd.exit(128 + number) }
                continuation.yield()
            }
            source.resume()
            return source
        }
    }

    /// Another server has taken over: as if a signal had come, though the next one is still the first.
    var handedOver: @Sendable () -> Void {
        { [continuation] in continuation.yield() }
    }

    /// Waits for the first signal, or for another server.
    func first() async {
        for await _ in arrivals { return }
    }
}

/// How many signals have come.
private final class SignalCount: Sendable {
    private let count = Atomic(0)

    func next() -> Int {
        count.add(1, ordering: .relaxed).newValue
    }
}

/// An event on another thread that a test waits for without blocking a thread of its own: blocked ones are missing where
/// queues run their work. It waits for as long as the test may take, so that a slow machine fails nothing.
final class Signal: Sendable {
    private let (events, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    func signal() {
        continuation.yield()
    }

    /// Returns once ``signal()`` has been called.
    func wait() async {
        for await _ in events { return }
    }
}

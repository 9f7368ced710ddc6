/// An event on another thread that a test awaits without blocking its own thread, because queues need the threads to
/// run their work. It has no timeout of its own, so that a slow machine does not fail the test.
final class Signal: Sendable {
    private let (events, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    func signal() {
        continuation.yield()
    }

    /// Waits until ``signal()`` was called.
    func wait() async {
        for await _ in events { return }
    }
}

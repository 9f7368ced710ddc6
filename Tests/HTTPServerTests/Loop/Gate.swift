import Dispatch

/// A barrier that blocks a loop until the test opens it.
final class Gate: Sendable {
    private let blocked = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    /// Blocks until the test opens the gate. If the test has failed before it could do so, the loop continues when the other
    /// tests have ended, so that the server can stop.
    func block() {
        blocked.signal()
        _ = opened.wait(timeout: .now() + .seconds(1800))
    }

    func awaitBlocked() { blocked.wait() }

    func open() { opened.signal() }
}

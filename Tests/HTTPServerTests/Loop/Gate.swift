import Dispatch

/// A barrier that blocks a loop until the test opens it.
final class Gate: Sendable {
    private let blocked = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    func block() {
        blocked.signal()
        opened.wait()
    }

    func awaitBlocked() { blocked.wait() }

    func open() { opened.signal() }
}

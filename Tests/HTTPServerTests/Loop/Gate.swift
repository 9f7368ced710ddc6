import Dispatch

/// A barrier that blocks a loop until the test opens it.
final class Gate: Sendable {
    private let held = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    func holdUp() {
        held.signal()
        opened.wait()
    }

    func awaitHeld() { held.wait() }

    func open() { opened.signal() }
}

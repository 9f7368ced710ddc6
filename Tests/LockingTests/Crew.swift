import Foundation

/// Runs a closure on several threads that start together, and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let ready = DispatchSemaphore(value: 0)
    let start = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    for index in 0..<count {
        Thread.detachNewThread {
            ready.signal()
            start.wait()
            body(index)
            done.signal()
        }
    }
    for _ in 0..<count { ready.wait() }
    for _ in 0..<count { start.signal() }
    for _ in 0..<count { done.wait() }
}

/// A closure that runs concurrently on its own thread.
final class Companion: Sendable {
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [done] in
            body()
            done.signal()
        }
    }

    /// Whether the closure has finished.
    var isDone: Bool {
        guard done.wait(timeout: .now()) == .success else { return false }
        done.signal()
        return true
    }

    /// Waits until the closure has finished, and returns whether it did so before the tests as a whole are ended.
    func wait() -> Bool {
        done.wait(timeout: .now() + .seconds(1800)) == .success
    }
}

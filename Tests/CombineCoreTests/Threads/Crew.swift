import Foundation

/// Runs a closure on several threads that start together, and waits for all of them.
///
/// The threads are not those that all tests share: those could be busy with other tests for minutes.
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

/// Runs a closure on another thread while this one runs a second one, and waits for both.
func onAnotherThread(_ body: @escaping @Sendable () -> Void, meanwhile work: () -> Void = {}) {
    let ready = DispatchSemaphore(value: 0)
    let start = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        ready.signal()
        start.wait()
        body()
        done.signal()
    }
    ready.wait()
    start.signal()
    work()
    done.wait()
}

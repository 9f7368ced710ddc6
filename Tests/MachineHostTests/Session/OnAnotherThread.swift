import Foundation

/// Runs work on a thread of its own and waits for it. A shared thread could be busy with other tests for minutes.
func onAnotherThread(_ work: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        work()
        done.signal()
    }
    done.wait()
}

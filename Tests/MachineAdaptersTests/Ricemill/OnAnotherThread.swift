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

/// A value of another thread. Sendable because one thread at a time uses it, or it is safe on any thread.
struct Transferred<Value>: @unchecked Sendable {
    let value: Value
}

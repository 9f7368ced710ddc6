import CombineCore
import Dispatch
import Foundation
import Locking

/// A thread that runs a run loop until this object is deallocated.
final class RunLoopThread {
    let runLoop: RunLoop
    private let isStopped: Lock<Bool>

    init() {
        let isStopped = Lock(false)
        let made = DispatchSemaphore(value: 0)
        let place = Lock<RunLoopReference?>(nil)
        Thread.detachNewThread {
            place.withLock { $0 = RunLoopReference(runLoop: .current) }
            // A run loop without input sources returns immediately.
            let keeper = Timer(timeInterval: 3_600, repeats: true) { _ in }
            RunLoop.current.add(keeper, forMode: .default)
            made.signal()
            while !isStopped.withLock({ $0 }), RunLoop.current.run(mode: .default, before: .distantFuture) {}
            keeper.invalidate()
        }
        made.wait()
        guard let reference = place.withLock({ $0 }) else { preconditionFailure("The thread has no run loop.") }
        runLoop = reference.runLoop
        self.isStopped = isStopped
    }

    deinit {
        isStopped.withLock { $0 = true }
        runLoop.schedule {}
    }
}

/// Passes a run loop to the thread that schedules on it.
private struct RunLoopReference: @unchecked Sendable {
    let runLoop: RunLoop
}

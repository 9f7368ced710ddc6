import CombineCore
import HTTPModel

/// A session's scheduler in the place of the main queue, inside a machine.
final class MainQueueSubstitute: MainSubstitute {
    // A separate type, because `MainSubstitute.now` and `Scheduler.now` have different types.
    let scheduler: SessionScheduler
    // Unchecked because it is accessed in turns of the session only, which run on one thread at a time.
    nonisolated(unsafe) var attachment: AnyObject?

    init(_ scheduler: SessionScheduler) {
        self.scheduler = scheduler
    }

    var now: Duration { .nanoseconds(Int64(truncatingIfNeeded: scheduler.currentNanoseconds)) }

    var taskExecutor: (any TaskExecutor)? { scheduler.loop.taskExecutor }

    func schedule(_ action: @escaping () -> Void) {
        scheduler.schedule(action)
    }

    func schedule(after interval: Duration, _ action: @escaping () -> Void) -> any Cancellable {
        scheduler.schedule(after: interval, repeating: nil, action)
    }

    func schedule(after interval: Duration, isCaptured: Bool, _ action: @escaping () -> Void) -> any Cancellable {
        scheduler.schedule(after: interval, repeating: nil, isCaptured: isCaptured, action)
    }
}

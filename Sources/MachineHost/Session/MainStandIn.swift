import CombineCore
import HTTPModel

/// Lets a session's scheduler stand in for the main queue. An object of its own, since both speak of `now`, in different
/// times.
final class MainStandIn: MainSubstitute {
    private let scheduler: SessionScheduler
    // Unchecked because it is accessed in turns of the session only, which run on one thread at a time.
    nonisolated(unsafe) var attachment: AnyObject?

    init(_ scheduler: SessionScheduler) {
        self.scheduler = scheduler
    }

    var now: Duration { .nanoseconds(Int64(truncatingIfNeeded: scheduler.currentNanoseconds)) }

    func schedule(_ action: @escaping () -> Void) {
        scheduler.schedule(action)
    }

    func schedule(after interval: Duration, _ action: @escaping () -> Void) -> any Cancellable {
        scheduler.schedule(after: interval, repeating: nil, action)
    }
}

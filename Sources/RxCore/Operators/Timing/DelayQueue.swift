import CombineCore
import FoundationEssentials
import Locking

/// The events that `delay` holds back, and which of them is due: the operator's rules, without scheduler and observer.
///
/// At most one action is scheduled or runs at any time. On a concurrent scheduler, an action for each event could reorder
/// them.
struct DelayBacklog<Element> {
    enum Step {
        /// Send this event, then call ``eventSent(now:)``.
        case send(Event<Element>)
        /// Schedule the next action for the event that was received at this moment.
        case schedule(RxTime)
        /// There is nothing to do until the next event.
        case rest
    }

    private enum Activity {
        /// No action is scheduled.
        case resting
        /// An action is scheduled.
        case scheduled
        /// An action is sending an event.
        case sending
    }

    private var events = Queue<(time: RxTime, event: Event<Element>)>()
    private var activity = Activity.resting
    private var failure: (any Error)?
    private var hasFailed = false

    /// An element or a completion was received.
    mutating func eventReceived(_ event: Event<Element>, now: RxTime) -> Step {
        guard !hasFailed else { return .rest }
        events.append((now, event))
        guard activity == .resting else { return .rest }
        activity = .scheduled
        return .schedule(now)
    }

    /// The stream failed: the error overtakes whatever waits. If an event is being sent on another thread, that thread
    /// sends the error next, so that nobody waits for it here.
    mutating func errorReceived(_ error: any Error) -> Step {
        guard !hasFailed else { return .rest }
        hasFailed = true
        events = Queue()
        if activity == .sending {
            failure = error
            return .rest
        }
        return .send(.error(error))
    }

    /// The scheduled action runs.
    mutating func actionStarted() -> Step {
        guard !hasFailed, let (_, event) = events.removeFirst() else {
            activity = .resting
            return .rest
        }
        activity = .sending
        return .send(event)
    }

    /// The event of the last step was sent.
    mutating func eventSent() -> Step {
        if let error = failure {
            failure = nil
            return .send(.error(error))
        }
        guard !hasFailed, let next = events.first else {
            activity = .resting
            return .rest
        }
        activity = .scheduled
        return .schedule(next.time)
    }
}

/// Performs what a ``DelayBacklog`` decides.
final class DelayQueue<Element> {
    private let observer: AnyObserver<Element>
    private let scheduler: any SchedulerType
    private let dueTime: RxTimeInterval
    private let timer = SerialDisposable()
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var backlog = DelayBacklog<Element>()

    init(
        _ observer: AnyObserver<Element>, _ group: CompositeDisposable, _ dueTime: RxTimeInterval,
        _ scheduler: any SchedulerType
    ) {
        self.observer = observer
        self.scheduler = scheduler
        self.dueTime = dueTime
        group.add(timer)
    }

    func receive(_ event: Event<Element>) {
        let now = scheduler.now
        perform(
            lock.withLock {
                if case .error(let error) = event { return backlog.errorReceived(error) }
                return backlog.eventReceived(event, now: now)
            })
    }

    private func perform(_ step: DelayBacklog<Element>.Step) {
        var step = step
        while case .send(let event) = step {
            observer.on(event)
            if event.isStopEvent { return }
            step = lock.withLock { backlog.eventSent() }
        }
        guard case .schedule(let time) = step else { return }
        // In place before the action can run, which may replace it.
        let pending = SingleAssignmentDisposable()
        timer.disposable = pending
        let elapsed = scheduler.now.timeIntervalSince(time)
        pending.setDisposable(
            scheduler.after(dueTime.reduced(by: elapsed)) { [self] in
                perform(lock.withLock { backlog.actionStarted() })
            })
    }
}

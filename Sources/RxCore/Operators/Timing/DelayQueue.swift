import CombineCore
import FoundationEssentials
import Locking

/// The events that `delay` holds back and the schedule for sending them: the operator's rules, without a scheduler or
/// an observer.
///
/// At most one action is scheduled or running. With one action per event, a concurrent scheduler could reorder them.
struct DelayBacklog<Element> {
    enum Step {
        /// Send this event, then call ``eventSent()``.
        case send(Event<Element>)
        /// Schedule an action for the event that was received at the given time.
        case schedule(RxTime)
        /// Wait for the next event.
        case wait
    }

    private enum Activity {
        /// No action is scheduled.
        case idle
        /// An action is scheduled.
        case scheduled
        /// An action is sending an event.
        case sending
    }

    private var events = Queue<(time: RxTime, event: Event<Element>)>()
    private var activity = Activity.idle
    private var failure: (any Error)?
    private var hasFailed = false

    /// Handles an element or a completion.
    mutating func eventReceived(_ event: Event<Element>, now: RxTime) -> Step {
        guard !hasFailed else { return .wait }
        events.append((now, event))
        guard activity == .idle else { return .wait }
        activity = .scheduled
        return .schedule(now)
    }

    /// Handles an error, which overtakes all waiting events. If another thread is sending an event, that thread sends
    /// the error next, so that the caller does not have to wait.
    mutating func errorReceived(_ error: any Error) -> Step {
        guard !hasFailed else { return .wait }
        hasFailed = true
        events = Queue()
        if activity == .sending {
            failure = error
            return .wait
        }
        return .send(.error(error))
    }

    /// Handles the start of the scheduled action.
    mutating func actionStarted() -> Step {
        guard !hasFailed, let (_, event) = events.removeFirst() else {
            activity = .idle
            return .wait
        }
        activity = .sending
        return .send(event)
    }

    /// Handles the end of the delivery of an event.
    mutating func eventSent() -> Step {
        if let error = failure {
            failure = nil
            return .send(.error(error))
        }
        guard !hasFailed, let next = events.first else {
            activity = .idle
            return .wait
        }
        activity = .scheduled
        return .schedule(next.time)
    }
}

/// Performs the steps of a ``DelayBacklog``.
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
        // Assigned before the action can run, because the action may assign the next timer.
        let pending = SingleAssignmentDisposable()
        timer.disposable = pending
        // Measured here because sending the previous events takes time, by which later ones must not be delayed.
        let elapsed = scheduler.now.timeIntervalSince(time)
        pending.setDisposable(
            scheduler.schedule(after: dueTime.reduced(by: elapsed)) { [self] in
                perform(lock.withLock { backlog.actionStarted() })
            })
    }
}

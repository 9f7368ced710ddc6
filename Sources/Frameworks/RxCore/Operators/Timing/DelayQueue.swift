import CombineCore
import Locking
import StateCapture

/// The events that `delay` holds back and the schedule for sending them: the operator's rules, without a scheduler or
/// an observer.
///
/// At most one action is scheduled or running. With one action per event, a concurrent scheduler could reorder them.
struct DelayBacklog<Element> {
    enum Step {
        /// Send this event, then call ``eventSent()``.
        case send(Event<Element>)
        /// Schedule an action for the event that was received at the given reading of the clock.
        case schedule(Int64)
        /// Wait for the next event.
        case wait
    }

    private enum Activity {
        case idle
        case scheduled
        case sending
    }

    private var events = Queue<(time: Int64, event: Event<Element>)>()
    /// The state for a capture, until the events change. Equal states must have equal bytes.
    private var captured: DelayState<Element>?
    private var activity = Activity.idle
    private var failure: (any Error)?
    private var hasFailed = false

    /// Handles an element or a completion.
    mutating func eventReceived(_ event: Event<Element>, now: Int64) -> Step {
        guard !hasFailed else { return .wait }
        events.append((now, event))
        captured = nil
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
        captured = nil
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
        captured = nil
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

    /// Returns the waiting events.
    mutating func state(_ clock: SchedulerClock) -> DelayState<Element> {
        if let captured { return captured }
        var (rest, state) = (events, DelayState<Element>())
        while let (time, event) = rest.removeFirst() {
            state.events.append(.init(time: clock.stored(time), element: CapturedValue(event.element)))
        }
        captured = state
        return state
    }

    /// Puts back waiting events.
    mutating func restore(_ state: DelayState<Element>, _ clock: SchedulerClock) {
        events = Queue()
        captured = nil
        for event in state.events {
            events.append((clock.reading(at: event.time), event.element.value.map(Event.next) ?? .completed))
        }
    }

    /// Handles the end of the wiring that follows ``restore(_:_:)``.
    mutating func resumed() -> Step {
        guard activity == .idle, let next = events.first else { return .wait }
        activity = .scheduled
        return .schedule(next.time)
    }
}

struct DelayState<Element>: Codable {
    struct Waiting: Codable {
        let time: StoredTime
        /// Empty for a completion.
        let element: CapturedValue<Element>
    }

    var events: [Waiting] = []
}

/// Performs the steps of a ``DelayBacklog``.
final class DelayQueue<Element> {
    private let observer: AnyObserver<Element>
    private let scheduler: any SchedulerType
    private let dueTime: RxTimeInterval
    private let timer = SerialDisposable()
    private let clock: SchedulerClock
    /// The captured side of the operator, if the session's machine is being wired.
    let capture: OperatorCapture?
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
        clock = SchedulerClock(scheduler)
        capture = OperatorCapture.current(group)
        group.add(timer)
        guard let capture else { return }
        capture.keep("delay", holding: Element.self) { [self] in
            lock.withLock { backlog.state(clock) }
        } _: { [self] state in
            lock.withLock { backlog.restore(state, clock) }
        }
        capture.start { [self] in perform(lock.withLock { backlog.resumed() }) }
    }

    func receive(_ event: Event<Element>) {
        let now = clock.now
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
        let elapsed = clock.now &- time
        pending.setDisposable(
            scheduler.schedule(after: dueTime.reduced(by: elapsed)) { [self] in
                perform(lock.withLock { backlog.actionStarted() })
            })
    }
}

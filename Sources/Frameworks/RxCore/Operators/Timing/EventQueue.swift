import CombineCore
import Locking
import StateCapture

/// Delivers events to an observer on a scheduler, one after another and in order.
///
/// As in RxSwift, each event takes an action of its own, so that the actions of others can run in between.
final class EventQueue<Element> {
    private struct Progress {
        var events = Queue<Event<Element>>()
        /// Whether an action that delivers is due, scheduled or running.
        var isDelivering = false
        /// Whether a call of ``EventQueue/schedule()`` is in progress.
        var isScheduling = false
        /// Whether that call must schedule another action.
        var isDue = false

        /// Makes an action due, unless no event is waiting or one is due already.
        ///
        /// - Returns: Whether the caller must schedule it.
        mutating func requestDelivery() -> Bool {
            guard !isDelivering, !events.isEmpty else { return false }
            isDelivering = true
            isDue = isScheduling
            defer { isScheduling = true }
            return !isScheduling
        }
    }

    private let observer: AnyObserver<Element>
    private let scheduler: any ImmediateSchedulerType
    /// Whether an action delivers all waiting events: on a session's loop, each further action is a turn.
    private let deliversAll: Bool
    private let current = SerialDisposable()
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var progress = Progress()

    /// The captured side of the operator, if the session's machine is being wired.
    let capture: OperatorCapture?

    init(_ observer: AnyObserver<Element>, _ group: CompositeDisposable, _ scheduler: any ImmediateSchedulerType) {
        self.observer = observer
        self.scheduler = scheduler
        deliversAll = scheduler is SubstituteScheduler
        // Events wait only for the next action of the scheduler. A type that is not `Codable` is no reason not to capture
        // the machine.
        capture = StateRegistry.canCapture(Element.self) ? OperatorCapture.current(group) : nil
        group.add(current)
        guard let capture else { return }
        capture.keep("observeOn", holding: Element.self) { [self] in
            lock.withLock { WaitingEvents(progress.events) }
        } _: { [self] state in
            lock.withLock { progress.events = state.queue }
        }
        capture.start { [self] in
            if lock.withLock({ progress.requestDelivery() }) { schedule() }
        }
    }

    func append(_ event: Event<Element>) {
        let isFirst = lock.withLock {
            progress.events.append(event)
            return progress.requestDelivery()
        }
        if isFirst { schedule() }
    }

    /// Schedules an action. In a loop, because a scheduler that runs it immediately would otherwise grow the stack with
    /// each event.
    private func schedule() {
        repeat {
            let action = SingleAssignmentDisposable()
            // Assigned before the action can run, because it may be followed by another one.
            current.disposable = action
            action.setDisposable(scheduler.schedule { [self] in deliver() })
        } while takeDue()
    }

    private func takeDue() -> Bool {
        lock.withLock {
            progress.isScheduling = progress.isDue
            progress.isDue = false
            return progress.isScheduling
        }
    }

    private func deliver() {
        while let event = takeFirst() {
            observer.on(event)
            if deliversAll { continue }
            let isNext = lock.withLock {
                progress.isDelivering = false
                return progress.requestDelivery()
            }
            if isNext { schedule() }
            return
        }
    }

    private func takeFirst() -> Event<Element>? {
        lock.withLock {
            // Decided together with taking the event: an event that arrives after this schedules a new action.
            let event = current.isDisposed ? nil : progress.events.removeFirst()
            progress.isDelivering = event != nil
            return event
        }
    }
}

/// The captured state of `observe(on:)`.
private struct WaitingEvents<Element> {
    var queue = Queue<Event<Element>>()

    init(_ queue: Queue<Event<Element>>) {
        self.queue = queue
    }
}

extension WaitingEvents: Codable {
    /// Decodes an array with one element for each event: an array with the event's element, or an empty one.
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            let element = try container.decode(CapturedValue<Element>.self).value
            queue.append(element.map(Event.next) ?? .completed)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        var rest = queue
        // An error becomes a completion: it is not `Codable`.
        while let event = rest.removeFirst() { try container.encode(CapturedValue(event.element)) }
    }
}

import CombineCore
import Locking
import StateCapture

/// Delivers events to an observer on a scheduler, one after another and in order.
final class EventQueue<Element> {
    private let observer: AnyObserver<Element>
    private let group: CompositeDisposable
    private let scheduler: any ImmediateSchedulerType
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var events = Queue<Event<Element>>()
    /// Guarded by `lock`: whether an action that drains the queue is scheduled or running.
    @exclusivity(unchecked) private var isDraining = false

    /// The captured side of the operator, if the session's machine is being wired.
    let capture: OperatorCapture?

    init(_ observer: AnyObserver<Element>, _ group: CompositeDisposable, _ scheduler: any ImmediateSchedulerType) {
        self.observer = observer
        self.group = group
        self.scheduler = scheduler
        // Events wait only for the next action of the scheduler. A type that is not `Codable` is no reason not to capture
        // the machine.
        capture = StateRegistry.canCapture(Element.self) ? OperatorCapture.current(group) : nil
        guard let capture else { return }
        capture.keep("observeOn", holding: Element.self) { [self] in
            lock.withLock { WaitingEvents(events) }
        } _: { [self] state in
            lock.withLock { events = state.queue }
        }
        capture.start { [self] in
            let isWaiting = lock.withLock {
                isDraining = isDraining || !events.isEmpty
                return !events.isEmpty
            }
            if isWaiting { scheduleDrain() }
        }
    }

    func append(_ event: Event<Element>) {
        let isFirst = lock.withLock {
            defer { isDraining = true }
            events.append(event)
            return !isDraining
        }
        if isFirst { scheduleDrain() }
    }

    private func scheduleDrain() {
        let drain = SingleAssignmentDisposable()
        guard let key = group.insert(drain) else { return }
        drain.setDisposable(
            scheduler.schedule { [self] in
                group.remove(for: key)
                while let event = takeFirst() { observer.on(event) }
            })
    }

    private func takeFirst() -> Event<Element>? {
        lock.withLock {
            // Decided together with taking the event: an event that arrives after this schedules a new action.
            let event = group.isDisposed ? nil : events.removeFirst()
            isDraining = event != nil
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

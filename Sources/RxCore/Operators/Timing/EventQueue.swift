import CombineCore
import Locking

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

    init(_ observer: AnyObserver<Element>, _ group: CompositeDisposable, _ scheduler: any ImmediateSchedulerType) {
        self.observer = observer
        self.group = group
        self.scheduler = scheduler
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

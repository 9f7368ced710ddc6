import CombineCore
import Locking

/// Tells an observer events on a scheduler, one after another, in the order in which they came.
final class EventQueue<Element> {
    private let observer: AnyObserver<Element>
    private let group: CompositeDisposable
    private let scheduler: any ImmediateSchedulerType
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var events = Queue<Event<Element>>()
    /// Guarded by `lock`: whether an action that empties the queue is scheduled or runs.
    @exclusivity(unchecked) private var isEmptying = false

    init(_ observer: AnyObserver<Element>, _ group: CompositeDisposable, _ scheduler: any ImmediateSchedulerType) {
        self.observer = observer
        self.group = group
        self.scheduler = scheduler
    }

    func append(_ event: Event<Element>) {
        let isFirst = lock.withLock {
            defer { isEmptying = true }
            events.append(event)
            return !isEmptying
        }
        if isFirst { scheduleRound() }
    }

    private func scheduleRound() {
        let round = SingleAssignmentDisposable()
        guard let key = group.insert(round) else { return }
        round.setDisposable(
            scheduler.soon { [self] in
                group.remove(for: key)
                while let event = takeFirst() { observer.on(event) }
            })
    }

    private func takeFirst() -> Event<Element>? {
        lock.withLock {
            let event = group.isDisposed ? nil : events.removeFirst()
            isEmptying = event != nil
            return event
        }
    }
}

import CombineCore
import Locking
import StateCapture

/// The elements and the observers of a ``ReplaySubject``.
///
/// It runs no foreign code under its lock: an observer may wait for a lock whose owner is sending to this subject.
final class ReplayBuffer<Element> {
    private let core = PassthroughSubject<NumberedElement<Element>, any Error>(uncaptured: ())
    private let state = SubjectState()
    private let limit: Int?
    private let lock = WordLock()
    /// Guarded by `lock`, like the property below. Elements are numbered from the first one ever sent.
    @exclusivity(unchecked) private var kept = CapturedValues<Element>()
    @exclusivity(unchecked) private var received = 0

    init(limit: Int?) {
        self.limit = limit
    }

    var hasObservers: Bool { !isDisposed && core.hasSubscribers }
    var isDisposed: Bool { state.isDisposed }

    func on(_ event: Event<Element>) {
        switch event {
        case .next(let element):
            guard state.isOpen else { return }
            core.send(NumberedElement(number: lock.withLock { keep(element) }, element: element))
        case .error(let error):
            if state.end(as: .failed(error)) { core.send(completion: .failure(error)) }
        case .completed:
            if state.end(as: .completed) { core.send(completion: .finished) }
        }
    }

    /// Sends the observer the kept elements, then those sent meanwhile, and then all further events.
    func subscribe(_ observer: AnyObserver<Element>) -> any Disposable {
        if state.isDisposed, !StateRegistry.isRestoring {
            observer.onError(RxError.disposed(object: self))
            return Disposables.create()
        }
        let (replayed, next) = lock.withLock { (kept.values, received) }
        let replay = ReplayingObserver(observer, next: next)
        let subscriber = ObserverSubscriber(replay)
        // Subscribed before the replay: elements that are sent meanwhile are queued, and those that are also in the
        // replay are recognized by their numbers.
        core.receive(subscriber: subscriber)
        OperatorCapture.sendInitialValues { replay.run(replayed) }
        replay.open()
        return subscriber
    }

    func dispose() {
        state.dispose()
        let former = lock.withLock {
            defer { kept = CapturedValues() }
            return kept
        }
        // Released after unlocking, because the deinitializers of elements are foreign code.
        withExtendedLifetime(former) {}
    }

    private func keep(_ element: Element) -> Int {
        let number = received
        received += 1
        guard limit != 0 else { return number }
        kept.values.append(element)
        if let limit, kept.values.count > limit { kept.values.removeFirst() }
        return number
    }

    /// The kept elements, for a capture.
    var elements: CapturedValues<Element> { lock.withLock { kept } }

    /// Whether and how the subject has terminated, for a capture.
    var end: SubjectEnd { state.end }

    /// Puts back a captured state.
    func restore(_ elements: CapturedValues<Element>, _ end: SubjectEnd) {
        lock.withLock { kept = elements }
        core.restore(state.restore(end))
    }
}

/// An element and the number of elements sent before it.
struct NumberedElement<Element> {
    let number: Int
    let element: Element
}

/// An observer that receives the kept elements of a subject first, and queues further events until then.
final class ReplayingObserver<Element>: ObserverType {
    private let observer: AnyObserver<Element>
    private let next: Int
    private let lock = WordLock()
    /// Guarded by `lock`, like the properties below.
    @exclusivity(unchecked) private var waiting = Queue<Event<Element>>()
    @exclusivity(unchecked) private var isReplaying = true

    /// Creates an observer. `next` is the number of the first element that is not replayed.
    init(_ observer: AnyObserver<Element>, next: Int) {
        self.observer = observer
        self.next = next
    }

    func on(_ event: Event<NumberedElement<Element>>) {
        if case .next(let numbered) = event, numbered.number < next { return }
        let event = event.map(\.element)
        let isHeldBack = lock.withLock {
            if isReplaying { waiting.append(event) }
            return isReplaying
        }
        if !isHeldBack { observer.on(event) }
    }

    /// Sends the kept elements.
    func run(_ elements: [Element]) {
        for element in elements { observer.onNext(element) }
    }

    /// Sends the queued events, and forwards further ones.
    func open() {
        // A loop, because events may arrive during each delivery.
        while let event = takeFirst() { observer.on(event) }
    }

    private func takeFirst() -> Event<Element>? {
        lock.withLock {
            let event = waiting.removeFirst()
            // Cleared under the lock only when the queue is empty, so that no event overtakes a queued one.
            isReplaying = event != nil
            return event
        }
    }
}

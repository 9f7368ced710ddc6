import CombineCore
import Locking

/// What a ``ReplaySubject`` keeps, and whom it tells. Nothing is called out to under its lock, so that an observer may
/// wait for a lock whose owner is sending.
final class Recording<Element> {
    private let core = PassthroughSubject<NumberedElement<Element>, any Error>()
    private let ending = Ending()
    private let limit: Int?
    private let lock = WordLock()
    /// These are guarded by `lock`. Elements are numbered from the first that ever was.
    @exclusivity(unchecked) private var kept: [Element] = []
    @exclusivity(unchecked) private var received = 0

    init(limit: Int?) {
        self.limit = limit
    }

    var hasObservers: Bool { !isDisposed && core.hasSubscribers }
    var isDisposed: Bool { ending.isDisposed }

    func on(_ event: Event<Element>) {
        switch event {
        case .next(let element):
            guard ending.isOpen else { return }
            core.send(NumberedElement(number: lock.withLock { keep(element) }, element: element))
        case .error(let error):
            if ending.become(.failed(error)) { core.send(completion: .failure(error)) }
        case .completed:
            if ending.become(.completed) { core.send(completion: .finished) }
        }
    }

    /// Sends the observer what is kept, then what was sent meanwhile, and whatever follows.
    func serve(_ observer: AnyObserver<Element>) -> any Disposable {
        if ending.isDisposed {
            observer.onError(RxError.disposed(object: self))
            return Disposables.create()
        }
        let (replayed, next) = lock.withLock { (kept, received) }
        let replay = Replay(observer, next: next)
        let link = ObserverLink(replay)
        // Before the replay: what is sent meanwhile waits in it, and what it holds already is recognised by its number.
        core.receive(subscriber: link)
        replay.run(replayed)
        return link
    }

    func dispose() {
        ending.dispose()
        let former = lock.withLock {
            defer { kept = [] }
            return kept
        }
        withExtendedLifetime(former) {}
    }

    private func keep(_ element: Element) -> Int {
        let number = received
        received += 1
        guard limit != 0 else { return number }
        kept.append(element)
        if let limit, kept.count > limit { kept.removeFirst() }
        return number
    }
}

/// An element and how many were sent before it.
struct NumberedElement<Element> {
    let number: Int
    let element: Element
}

/// Sends an observer the elements that a subject has kept, and holds back what follows until that is done.
final class Replay<Element>: ObserverType {
    private let observer: AnyObserver<Element>
    private let next: Int
    private let lock = WordLock()
    /// These are guarded by `lock`.
    @exclusivity(unchecked) private var waiting = Queue<Event<Element>>()
    @exclusivity(unchecked) private var isReplaying = true

    /// `next` is the number of the first element that is not replayed.
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

    func run(_ elements: [Element]) {
        for element in elements { observer.onNext(element) }
        while let event = takeFirst() { observer.on(event) }
    }

    private func takeFirst() -> Event<Element>? {
        lock.withLock {
            let event = waiting.removeFirst()
            isReplaying = event != nil
            return event
        }
    }
}

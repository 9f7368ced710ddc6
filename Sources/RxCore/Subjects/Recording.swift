import CombineCore
import Locking

/// What a ``ReplaySubject`` keeps, and whom it tells.
final class Recording<Element> {
    private let gate = Serializer()
    private let core = PassthroughSubject<Element, any Error>()
    private let ending = Ending()
    private let limit: Int?
    /// These are used inside the gate. Elements are numbered from the first that ever was.
    private var kept: [Element] = []
    private var dropped = 0

    init(limit: Int?) {
        self.limit = limit
    }

    var hasObservers: Bool { !isDisposed && core.hasSubscribers }

    var isDisposed: Bool { ending.isDisposed }

    func on(_ event: Event<Element>) {
        gate.run {
            switch event {
            case .next(let element):
                guard ending.isOpen else { return }
                keep(element)
                core.send(element)
            case .error(let error):
                if ending.become(.failed(error)) { core.send(completion: .failure(error)) }
            case .completed:
                if ending.become(.completed) { core.send(completion: .finished) }
            }
        }
    }

    /// Tells the observer what is kept, including what is sent while it is told, and whatever comes then.
    func serve(_ observer: AnyObserver<Element>) -> any Disposable {
        gate.run {
            if ending.isDisposed {
                observer.onError(RxError.disposed(object: self))
                return Disposables.create()
            }
            var next = dropped
            while let element = element(at: &next) { observer.onNext(element) }
            let link = ObserverLink(observer)
            core.receive(subscriber: link)
            return link
        }
    }

    func dispose() {
        ending.dispose()
        gate.run { kept = [] }
    }

    private func keep(_ element: Element) {
        guard limit != 0 else { return }
        kept.append(element)
        if let limit, kept.count > limit {
            kept.removeFirst()
            dropped += 1
        }
    }

    private func element(at next: inout Int) -> Element? {
        next = max(next, dropped)
        guard next - dropped < kept.count else { return nil }
        defer { next += 1 }
        return kept[next - dropped]
    }
}

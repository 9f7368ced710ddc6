import CombineCore

/// Merges streams of which only some are listened to at once, while some of the others wait for their turn.
final class LimitedMerge<Element, Source: ObservableConvertibleType> {
    private let observer: AnyObserver<Source.Element>
    private let group: CompositeDisposable
    private let limit: Int
    private let keepsOthers: Bool
    private let selector: (Element) throws -> Source
    private let serializer = Serializer()
    /// These are used inside the serializer.
    private var waiting = Queue<Source>()
    private var active = 0
    private var isStarting = false
    private var hasEnded = false

    init(
        _ observer: AnyObserver<Source.Element>, _ group: CompositeDisposable, limit: Int, keepsOthers: Bool,
        _ selector: @escaping (Element) throws -> Source
    ) {
        self.observer = observer
        self.group = group
        self.limit = limit
        self.keepsOthers = keepsOthers
        self.selector = selector
    }

    func on(_ event: Event<Element>) {
        serializer.run {
            switch event {
            case .next(let element):
                guard active < limit || keepsOthers else { return }
                do {
                    // As RxSwift does, even if the stream has to wait: a selector that throws ends everything now.
                    waiting.append(try selector(element))
                    startWaiting()
                } catch {
                    observer.onError(error)
                }
            case .error(let error): observer.onError(error)
            case .completed:
                hasEnded = true
                completeIfDone()
            }
        }
    }

    /// In a loop, not from inside the end of the stream before, so that streams that end at once do not pile up.
    private func startWaiting() {
        guard !isStarting else { return }
        isStarting = true
        while active < limit, let stream = waiting.removeFirst() { start(stream) }
        isStarting = false
    }

    private func start(_ stream: Source) {
        active += 1
        let inner = CompositeDisposable()
        let key = group.insert(inner)
        stream.listen(inner) { [self] event in receive(event, key) }
    }

    private func receive(_ event: Event<Source.Element>, _ key: CompositeDisposable.DisposeKey?) {
        serializer.run {
            if case .completed = event {
                active -= 1
                if let key { group.remove(for: key) }
                startWaiting()
                completeIfDone()
            } else {
                observer.on(event)
            }
        }
    }

    private func completeIfDone() {
        if hasEnded, active == 0, waiting.isEmpty { observer.onCompleted() }
    }
}

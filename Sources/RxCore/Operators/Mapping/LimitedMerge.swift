import CombineCore
import StateCapture

/// Merges a limited number of sources at a time. Sources above the limit are queued or dropped.
///
/// Its sources are not captured: a session that is restored continues without those that were active or waiting.
final class LimitedMerge<Element, Source: ObservableConvertibleType> {
    private let observer: AnyObserver<Source.Element>
    private let group: CompositeDisposable
    private let limit: Int
    private let queuesExcess: Bool
    private let selector: (Element) throws -> Source
    private let serializer = Serializer()
    /// Used inside the serializer, like the properties below.
    private var waiting = Queue<Source>()
    private var active = 0
    private var isStarting = false
    private var hasEnded = false

    init(
        _ observer: AnyObserver<Source.Element>, _ group: CompositeDisposable, limit: Int, queuesExcess: Bool,
        _ selector: @escaping (Element) throws -> Source
    ) {
        self.observer = observer
        self.group = group
        self.limit = limit
        self.queuesExcess = queuesExcess
        self.selector = selector
        StateRegistry.current?.observe("merge") { [weak self] in self?.isBusy }
    }

    private var isBusy: Bool {
        var isBusy = false
        serializer.run { isBusy = active > 0 }
        return isBusy
    }

    func on(_ event: Event<Element>) {
        serializer.run {
            switch event {
            case .next(let element):
                guard active < limit || queuesExcess else { return }
                do {
                    // As in RxSwift, the selector runs now, even if its source is queued: an error that it throws
                    // terminates the result immediately.
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

    /// Runs in a loop, not recursively from a source's completion, so that sources that complete immediately do not
    /// grow the stack.
    private func startWaiting() {
        guard !isStarting else { return }
        isStarting = true
        while active < limit, let stream = waiting.removeFirst() { start(stream) }
        isStarting = false
    }

    private func start(_ stream: Source) {
        // Counted before the subscription, during which the source may complete.
        active += 1
        let inner = CompositeDisposable()
        let key = group.insert(inner)
        OperatorCapture.withoutCapture { stream.listen(inner) { [self] event in receive(event, key) } }
    }

    private func receive(_ event: Event<Source.Element>, _ key: CompositeDisposable.DisposeKey?) {
        serializer.run {
            if case .completed = event {
                active -= 1
                // Removed now, so that the group does not grow with the number of sources.
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

import Locking

/// Listens to one stream after another: which is next is decided when one ends. Streams that end while they are being
/// subscribed to are gone through in a loop, so that the stack does not grow with their number.
final class Succession<Element> {
    enum Decision {
        /// Hand the end on.
        case end
        /// Listen to this stream next.
        case proceed(to: Observable<Element>)
        /// Fail with this.
        case fail(any Error)
    }

    private struct Progress {
        var next: Observable<Element>?
        var isLooping = false
    }

    private let observer: AnyObserver<Element>
    private let current = SerialDisposable()
    private let decide: (Event<Element>) -> Decision
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var progress = Progress()

    /// `decide` is asked what to do with each error and completion.
    init(
        _ observer: AnyObserver<Element>, _ group: CompositeDisposable,
        decide: @escaping (Event<Element>) -> Decision
    ) {
        self.observer = observer
        self.decide = decide
        group.add(current)
    }

    /// Listens to the stream, and then to those that are decided on.
    func begin(with stream: Observable<Element>) {
        let isFirst = lock.withLock {
            defer { progress.isLooping = true }
            progress.next = stream
            return !progress.isLooping
        }
        guard isFirst else { return }
        while let stream = takeNext() {
            let subscription = CompositeDisposable()
            current.disposable = subscription
            stream.listen(subscription) { [self] event in receive(event) }
        }
    }

    private func takeNext() -> Observable<Element>? {
        lock.withLock {
            defer { progress.next = nil }
            progress.isLooping = progress.next != nil && !current.isDisposed
            return progress.isLooping ? progress.next : nil
        }
    }

    private func receive(_ event: Event<Element>) {
        guard event.isStopEvent else { return observer.on(event) }
        switch decide(event) {
        case .end: observer.on(event)
        case .proceed(let stream): begin(with: stream)
        case .fail(let error): observer.onError(error)
        }
    }
}

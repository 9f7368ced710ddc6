import Locking

/// A subscription to one source after another. The terminal event of a source decides which source is next.
///
/// Sources that terminate during their subscription are processed in a loop, so that the stack does not grow with their
/// number.
final class SequentialSubscription<Element> {
    enum Decision {
        /// Forward the terminal event.
        case end
        /// Subscribe to this source next.
        case proceed(to: Observable<Element>)
        /// Terminate with this error.
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

    /// Creates a subscription that calls `decide` with each terminal event.
    init(
        _ observer: AnyObserver<Element>, _ group: CompositeDisposable,
        decide: @escaping (Event<Element>) -> Decision
    ) {
        self.observer = observer
        self.decide = decide
        group.add(current)
    }

    /// Subscribes to the source, and then to the sources that `decide` returns.
    func subscribe(to stream: Observable<Element>) {
        let isFirst = lock.withLock {
            defer { progress.isLooping = true }
            progress.next = stream
            return !progress.isLooping
        }
        guard isFirst else { return }
        while let stream = takeNext() {
            let subscription = CompositeDisposable()
            // Assigned before the subscription, during which the downstream may dispose of it.
            current.disposable = subscription
            stream.listen(subscription) { [self] event in receive(event) }
        }
    }

    private func takeNext() -> Observable<Element>? {
        lock.withLock {
            defer { progress.next = nil }
            // Decided together with taking the source: a source that arrives after this starts its own loop.
            progress.isLooping = progress.next != nil && !current.isDisposed
            return progress.isLooping ? progress.next : nil
        }
    }

    private func receive(_ event: Event<Element>) {
        guard event.isStopEvent else { return observer.on(event) }
        switch decide(event) {
        case .end: observer.on(event)
        case .proceed(let stream): subscribe(to: stream)
        case .fail(let error): observer.onError(error)
        }
    }
}

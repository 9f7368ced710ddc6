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
        /// The number of sources that were subscribed to.
        var count = 0
    }

    private let observer: AnyObserver<Element>
    private let current = SerialDisposable()
    private let decide: (Event<Element>) -> Decision
    /// An event after which `decide` returns the next source.
    private let continuation: Event<Element>
    private let capture: OperatorCapture?
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var progress = Progress()

    /// Creates a subscription that calls `decide` with each terminal event.
    ///
    /// - Parameters:
    ///   - name: The name of the operator.
    ///   - continuation: An event after which `decide` returns the next source, to find the current source of a restored
    ///     operator.
    init(
        _ observer: AnyObserver<Element>, _ group: CompositeDisposable, _ name: StaticString,
        continuingAfter continuation: @autoclosure () -> Event<Element>,
        decide: @escaping (Event<Element>) -> Decision
    ) {
        self.observer = observer
        self.decide = decide
        self.continuation = continuation()
        capture = OperatorCapture.current(group)
        group.add(current)
        capture?.keep(name, holding: Int.self) { [self] in
            lock.withLock { progress.count }
        } _: { [self] count in
            lock.withLock { progress.count = count }
        }
        capture?.makeScope(name)
    }

    /// Begins with the first source, or with the current one if the machine is restored.
    func start(with first: Observable<Element>) {
        guard let capture, capture.isRestored else { return subscribe(to: first) }
        // The first one in any case: a restored wiring must register the same parts as the first one.
        repeatSubscription(to: first)
        capture.finish(observer)
        let count = lock.withLock { progress.count }
        guard count > 1, !capture.hasEnded else { return }
        var last: Observable? = first
        for _ in 1..<count {
            guard case .proceed(let next) = decide(continuation) else {
                // Another build with fewer sources.
                return observer.onCompleted()
            }
            last = next
        }
        if let last { capture.wireLater { repeatSubscription(to: last) } }
    }

    private func repeatSubscription(to stream: Observable<Element>) {
        let subscription = CompositeDisposable()
        current.disposable = subscription
        stream.listenSilently(subscription, receive)
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
            let isFirst = lock.withLock {
                progress.count &+= 1
                return progress.count == 1
            }
            let listen = { stream.listen(subscription, self.receive) }
            if let capture, !isFirst { capture.wireLater(listen) } else { listen() }
        }
    }

    private func takeNext() -> Observable<Element>? {
        lock.withLock {
            defer { progress.next = nil }
            // Decided together with taking the source: a source that arrives after this starts its own loop.
            // The first source is subscribed to in any case, as with every operator.
            progress.isLooping = progress.next != nil && (progress.count == 0 || !current.isDisposed)
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

/// The error that stands for a failure before a machine was restored, because errors are not captured.
struct RestoredError: Error {}

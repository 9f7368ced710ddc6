import Locking

/// Subscribes to a source again when a trigger emits after a failure.
///
/// Attempts that fail during their subscription are repeated in a loop, so that the stack does not grow.
final class RetryCycle<Element, Failure> {
    private struct Progress {
        /// Whether an attempt failed and the next one has not begun.
        var isWaiting = false
        var isAttemptRequested = false
        var isLooping = false
        /// The terminal event of the trigger, if it terminated.
        var triggerEnd: Event<Element>?
        var attempts = 0
    }

    /// The errors of the failed attempts.
    let failures = OperatorCapture.withoutCapture { PublishSubject<Failure>() }
    private let stream: Observable<Element>
    private let observer: AnyObserver<Element>
    private let match: (any Error) -> Failure?
    private let currentAttempt = SerialDisposable()
    /// The captured side of the operator, if the session's machine is being wired.
    let capture: OperatorCapture?
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var progress = Progress()

    init(
        _ stream: Observable<Element>, _ observer: AnyObserver<Element>, _ group: CompositeDisposable,
        _ match: @escaping (any Error) -> Failure?
    ) {
        self.stream = stream
        self.observer = observer
        self.match = match
        capture = OperatorCapture.current(group)
        group.add(currentAttempt)
        capture?.keep("retryWhen", holding: RetryState.self) { [self] in
            lock.withLock {
                RetryState(
                    attempts: progress.attempts, isWaiting: progress.isWaiting,
                    hasTriggerEnded: progress.triggerEnd != nil)
            }
        } _: { [self] state in
            lock.withLock {
                progress.attempts = state.attempts
                progress.isWaiting = state.isWaiting
                if state.hasTriggerEnded { progress.triggerEnd = .completed }
            }
        }
        capture?.makeScope("retryWhen")
    }

    /// Starts the first attempt, or repeats the subscription of the current one if the machine is restored.
    func begin() {
        guard let capture, capture.isRestored else { return startAttempt() }
        let (attempts, isWaiting) = lock.withLock { (progress.attempts, progress.isWaiting) }
        // The first one in any case: a restored wiring must register the same parts as the first one.
        repeatAttempt()
        capture.finish(observer)
        if attempts > 1, !capture.hasEnded { capture.wireLater(repeatAttempt) }
        guard isWaiting else { return }
        currentAttempt.disposable = Disposables.create()
        // What the trigger had begun is not captured, so it will not emit.
        capture.start { [self] in
            lock.withLock { progress.isWaiting = false }
            startAttempt()
        }
    }

    private func repeatAttempt() {
        let subscription = CompositeDisposable()
        currentAttempt.disposable = subscription
        stream.listenSilently(subscription, attemptReceived)
    }

    /// Starts the next attempt, or leaves it to the loop that is already running.
    func startAttempt() {
        let isFirst = lock.withLock {
            defer { progress.isLooping = true }
            progress.isAttemptRequested = true
            return !progress.isLooping
        }
        guard isFirst else { return }
        while takeRequest() {
            let subscription = CompositeDisposable()
            currentAttempt.disposable = subscription
            let isFirst = lock.withLock {
                progress.attempts &+= 1
                return progress.attempts == 1
            }
            let listen = { self.stream.listen(subscription, self.attemptReceived) }
            if let capture, !isFirst { capture.wireLater(listen) } else { listen() }
        }
    }

    private func attemptReceived(_ event: Event<Element>) {
        if case .error(let error) = event { attemptFailed(error) } else { observer.on(event) }
    }

    func triggerReceived<Signal>(_ event: Event<Signal>) {
        let wasWaiting = lock.withLock {
            defer { progress.isWaiting = false }
            switch event {
            case .next: break
            case .error(let error): progress.triggerEnd = .error(error)
            case .completed: progress.triggerEnd = .completed
            }
            return progress.isWaiting
        }
        // A trigger that emits without a failed attempt has no effect. A terminal event is kept for the next failure.
        guard wasWaiting else { return }
        switch event {
        case .next: startAttempt()
        case .error(let error): observer.onError(error)
        case .completed: observer.onCompleted()
        }
    }

    private func takeRequest() -> Bool {
        lock.withLock {
            defer { progress.isAttemptRequested = false }
            // The first attempt is made in any case: every operator subscribes to its source.
            progress.isLooping = progress.isAttemptRequested && (progress.attempts == 0 || !currentAttempt.isDisposed)
            return progress.isLooping
        }
    }

    private func attemptFailed(_ error: any Error) {
        guard let failure = match(error) else { return observer.onError(error) }
        // Releases the failed attempt before the trigger runs, as the next attempt may start much later.
        currentAttempt.disposable = Disposables.create()
        let end = lock.withLock {
            // Set before the trigger receives the failure, because it may emit during that call.
            progress.isWaiting = true
            return progress.triggerEnd
        }
        if let end { observer.on(end) } else { failures.onNext(failure) }
    }
}

/// The captured state of `retry(when:)`.
private struct RetryState: Codable {
    var attempts: Int
    var isWaiting: Bool
    var hasTriggerEnded: Bool
}

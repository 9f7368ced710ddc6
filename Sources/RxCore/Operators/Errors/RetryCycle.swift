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
    }

    /// The errors of the failed attempts.
    let failures = PublishSubject<Failure>()
    private let stream: Observable<Element>
    private let observer: AnyObserver<Element>
    private let match: (any Error) -> Failure?
    private let currentAttempt = SerialDisposable()
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
        group.add(currentAttempt)
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
            stream.listen(subscription) { [self] event in
                if case .error(let error) = event { attemptFailed(error) } else { observer.on(event) }
            }
        }
    }

    /// Handles an event of the trigger.
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
            progress.isLooping = progress.isAttemptRequested && !currentAttempt.isDisposed
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

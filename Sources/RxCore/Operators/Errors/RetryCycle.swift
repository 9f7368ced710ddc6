import Locking

/// Subscribes to a stream again whenever a trigger asks for it after a failure. In a loop: attempts that fail while they
/// are being subscribed to do not grow the stack.
final class RetryCycle<Element, Failure> {
    private struct Progress {
        /// Whether an attempt has failed and none has begun since.
        var isWaiting = false
        var wantsAttempt = false
        var isLooping = false
        /// How the trigger has ended.
        var triggerEnd: Event<Element>?
    }

    /// The failures of the attempts.
    let failures = PublishSubject<Failure>()
    private let stream: Observable<Element>
    private let observer: AnyObserver<Element>
    private let match: (any Error) -> Failure?
    private let attempt = SerialDisposable()
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
        group.add(attempt)
    }

    /// Makes the next attempt, or lets the loop that makes the present one make it.
    func begin() {
        let isFirst = lock.withLock {
            defer { progress.isLooping = true }
            progress.wantsAttempt = true
            return !progress.isLooping
        }
        guard isFirst else { return }
        while takeWish() {
            let subscription = CompositeDisposable()
            attempt.disposable = subscription
            stream.listen(subscription) { [self] event in
                if case .error(let error) = event { attemptFailed(error) } else { observer.on(event) }
            }
        }
    }

    /// The trigger sent an element or ended.
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
        guard wasWaiting else { return }
        switch event {
        case .next: begin()
        case .error(let error): observer.onError(error)
        case .completed: observer.onCompleted()
        }
    }

    private func takeWish() -> Bool {
        lock.withLock {
            defer { progress.wantsAttempt = false }
            progress.isLooping = progress.wantsAttempt && !attempt.isDisposed
            return progress.isLooping
        }
    }

    private func attemptFailed(_ error: any Error) {
        guard let failure = match(error) else { return observer.onError(error) }
        attempt.disposable = Disposables.create()
        let end = lock.withLock {
            progress.isWaiting = true
            return progress.triggerEnd
        }
        if let end { observer.on(end) } else { failures.onNext(failure) }
    }
}

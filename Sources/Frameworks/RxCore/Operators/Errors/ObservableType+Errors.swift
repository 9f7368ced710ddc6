extension ObservableType {
    /// Returns an observable that continues with the observable returned by the closure if this one fails.
    public func `catch`(_ handler: @escaping (any Error) throws -> Observable<Element>) -> Observable<Element> {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            var hasFailed = false
            let subscription = SequentialSubscription(
                observer, group, "catch", continuingAfter: .error(RestoredError())
            ) { (event: Event<Element>) in
                guard !hasFailed, case .error(let error) = event else { return .end }
                hasFailed = true
                do {
                    return .proceed(to: try handler(error))
                } catch {
                    return .fail(error)
                }
            }
            subscription.start(with: stream)
        })
    }

    /// Returns an observable that emits the given element and completes if this one fails.
    public func catchAndReturn(_ element: Element) -> Observable<Element> {
        self.catch { _ in .just(element) }
    }

    /// Returns an observable that subscribes to the sources in order until one of them does not fail. It emits the
    /// elements of each source up to its failure.
    public static func `catch`<Sequence: Swift.Sequence>(sequence: Sequence) -> Observable<Element>
    where Sequence.Element == Observable<Element> {
        Observable(subscribe: { observer, group in
            var iterator = sequence.makeIterator()
            let subscription = SequentialSubscription(
                observer, group, "catchSequence", continuingAfter: .error(RestoredError())
            ) { (event: Event<Element>) in
                if case .error = event { iterator.next().map { .proceed(to: $0) } ?? .end } else { .end }
            }
            subscription.start(with: iterator.next() ?? .empty())
        })
    }

    /// Returns an observable that subscribes again after each failure, without a limit.
    public func retry() -> Observable<Element> {
        Observable<Element>.catch(sequence: Swift.repeatElement(asObservable(), count: Int.max))
    }

    /// Returns an observable that subscribes again after a failure, up to `maxAttemptCount` subscriptions in all.
    public func retry(_ maxAttemptCount: Int) -> Observable<Element> {
        Observable<Element>.catch(sequence: Swift.repeatElement(asObservable(), count: max(0, maxAttemptCount)))
    }

    /// Returns an observable that subscribes again after a failure when a trigger emits.
    ///
    /// The closure receives the errors as an observable and returns the trigger. If the trigger terminates while an
    /// attempt is awaited, the result terminates in the same way. If it terminates earlier, the result does so at the
    /// next failure.
    public func retry<Trigger: ObservableType>(when notificationHandler: @escaping (Observable<any Error>) -> Trigger)
        -> Observable<Element>
    {
        retry(when: notificationHandler) { $0 }
    }

    /// Subscribes again after failures of one type; see `retry(when:)`. Any other failure terminates the result.
    public func retry<Trigger: ObservableType, Failure: Error>(
        when notificationHandler: @escaping (Observable<Failure>) -> Trigger
    ) -> Observable<Element> {
        retry(when: notificationHandler) { $0 as? Failure }
    }

    private func retry<Trigger: ObservableType, Failure>(
        when notificationHandler: @escaping (Observable<Failure>) -> Trigger,
        matching match: @escaping (any Error) -> Failure?
    ) -> Observable<Element> {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let cycle = RetryCycle(stream, observer, group, match)
            // The trigger is subscribed before the first attempt, which may fail immediately.
            notificationHandler(cycle.failures).listenUnserialized(group, cycle.capture, cycle.triggerReceived)
            cycle.begin()
        })
    }
}

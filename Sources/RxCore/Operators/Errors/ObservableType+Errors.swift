extension ObservableType {
    /// The elements; if the stream fails, those of the stream that the closure makes of the error.
    public func `catch`(_ handler: @escaping (any Error) throws -> Observable<Element>) -> Observable<Element> {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            var hasFailed = false
            let succession = Succession(observer, group) { (event: Event<Element>) in
                guard !hasFailed, case .error(let error) = event else { return .end }
                hasFailed = true
                do {
                    return .proceed(to: try handler(error))
                } catch {
                    return .fail(error)
                }
            }
            succession.begin(with: stream)
        })
    }

    /// The elements; if the stream fails, the given one and then the end.
    public func catchAndReturn(_ element: Element) -> Observable<Element> {
        self.catch { _ in .just(element) }
    }

    /// The elements of the first of the streams that does not fail: of each that fails those before its failure.
    public static func `catch`<Sequence: Swift.Sequence>(sequence: Sequence) -> Observable<Element>
    where Sequence.Element == Observable<Element> {
        Observable(serving: { observer, group in
            var iterator = sequence.makeIterator()
            let succession = Succession(observer, group) { (event: Event<Element>) in
                if case .error = event { iterator.next().map { .proceed(to: $0) } ?? .end } else { .end }
            }
            succession.begin(with: iterator.next() ?? .empty())
        })
    }

    /// The elements; after a failure the stream begins again, for ever.
    public func retry() -> Observable<Element> {
        Observable<Element>.catch(sequence: Swift.repeatElement(asObservable(), count: Int.max))
    }

    /// The elements; after a failure the stream begins again, `maxAttemptCount` times in all.
    public func retry(_ maxAttemptCount: Int) -> Observable<Element> {
        Observable<Element>.catch(sequence: Swift.repeatElement(asObservable(), count: max(0, maxAttemptCount)))
    }

    /// The elements; after a failure the stream begins again when the stream that the closure makes of the failures sends
    /// an element, and ends as that ends. If that ends first, this stream goes on until it fails.
    public func retry<Trigger: ObservableType>(when notificationHandler: @escaping (Observable<any Error>) -> Trigger)
        -> Observable<Element>
    {
        retry(when: notificationHandler) { $0 }
    }

    /// Like ``retry(when:)-(_)`` for failures of one type; any other failure ends the stream.
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
        return Observable(serving: { observer, group in
            let cycle = RetryCycle(stream, observer, group, match)
            notificationHandler(cycle.failures).listen(group, cycle.triggerReceived)
            cycle.begin()
        })
    }
}

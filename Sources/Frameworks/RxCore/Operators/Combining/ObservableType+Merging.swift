public import CombineCore

extension ObservableType {
    /// Returns an observable that emits the elements of all sources as they arrive and completes when all sources have
    /// completed.
    @inlinable
    public static func merge<Collection: Swift.Collection>(_ sources: Collection) -> Observable<Element>
    where Collection.Element == Observable<Element> {
        Observable(TrampolinedPublisher(Publishers.MergeMany(sources.map(\.source))))
    }

    /// Returns an observable that emits the elements of all sources as they arrive and completes when all sources have
    /// completed.
    @inlinable
    public static func merge(_ sources: [Observable<Element>]) -> Observable<Element> {
        Observable(TrampolinedPublisher(Publishers.MergeMany(sources.map(\.source))))
    }

    /// Returns an observable that emits the elements of all sources as they arrive and completes when all sources have
    /// completed.
    @inlinable
    public static func merge(_ sources: Observable<Element>...) -> Observable<Element> {
        merge(sources)
    }

    /// Returns an observable that emits the elements of the sources, one source after another.
    public static func concat<Sequence: Swift.Sequence>(_ sequence: Sequence) -> Observable<Element>
    where Sequence.Element == Observable<Element> {
        Observable(subscribe: { observer, group in
            var iterator = sequence.makeIterator()
            let subscription = SequentialSubscription(observer, group, "concat", continuingAfter: .completed) {
                (event: Event<Element>) in
                if case .completed = event { iterator.next().map { .proceed(to: $0) } ?? .end } else { .end }
            }
            subscription.start(with: iterator.next() ?? .empty())
        })
    }

    /// Returns an observable that emits the elements of the sources, one source after another.
    public static func concat<Collection: Swift.Collection>(_ collection: Collection) -> Observable<Element>
    where Collection.Element == Observable<Element> {
        concat(AnySequence(collection))
    }

    /// Returns an observable that emits the elements of the sources, one source after another.
    public static func concat(_ sources: Observable<Element>...) -> Observable<Element> {
        concat(AnySequence(sources))
    }

    /// Returns an observable that emits the elements of this source and then those of the other.
    public func concat<Source: ObservableConvertibleType>(_ second: Source) -> Observable<Element>
    where Source.Element == Element {
        Observable.concat(AnySequence([asObservable(), second.asObservable()]))
    }

    /// Returns an observable that emits the given elements and then those of this source.
    @inlinable
    public func startWith(_ elements: Element...) -> Observable<Element> {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            // Not through a scheduler: the elements must precede those that the source emits during its subscription.
            OperatorCapture.sendInitialValues { elements.forEach(observer.onNext) }
            stream.listen(group, observer.on)
        })
    }

    /// Returns an observable that emits the events of the source that emits first, and ignores the others.
    public static func amb<Sequence: Swift.Sequence>(_ sequence: Sequence) -> Observable<Element>
    where Sequence.Element == Observable<Element> {
        Observable(subscribe: { observer, group in
            let serializer = Serializer(group)
            var winner: Int?
            let candidates = sequence.map { (stream: $0, subscription: CompositeDisposable()) }
            // All groups are added first: a candidate that wins during its subscription must find the groups of the
            // others.
            for candidate in candidates { group.add(candidate.subscription) }
            let capture = OperatorCapture.current(group, serializer)
            capture?.keep("amb", holding: Int.self, { winner }, { winner = $0 })
            func disposeOfOthers(than number: Int) {
                for (other, loser) in candidates.enumerated() where other != number { loser.subscription.dispose() }
            }
            for (number, candidate) in candidates.enumerated() {
                candidate.stream.listenUnserialized(candidate.subscription, capture) { event in
                    var (isFirst, isWinner) = (false, false)
                    serializer.run {
                        isFirst = winner == nil
                        if isFirst { winner = number }
                        isWinner = winner == number
                    }
                    if isFirst { disposeOfOthers(than: number) }
                    // Not serialized: no other candidate delivers.
                    if isWinner { observer.on(event) }
                }
            }
            guard let capture, capture.isRestored else { return }
            if let winner { disposeOfOthers(than: winner) }
            capture.finish(observer)
        })
    }

    /// Returns an observable that emits the events of this source or the other, whichever emits first.
    public func amb<Source: ObservableType>(_ right: Source) -> Observable<Element> where Source.Element == Element {
        Observable.amb([asObservable(), right.asObservable()])
    }

    /// Returns an observable that applies the closure to each element and the latest element of `second`. Elements
    /// before the first one of `second` are dropped.
    @inlinable
    public func withLatestFrom<Source: ObservableConvertibleType, Result>(
        _ second: Source, resultSelector: @escaping (Element, Source.Element) throws -> Result
    ) -> Observable<Result> {
        let (first, second) = (asObservable(), second.asObservable())
        return Observable(subscribe: { observer, group in
            let serializer = Serializer(group)
            var latest = CapturedValue<Source.Element>()
            let capture = OperatorCapture.current(group, serializer)
            capture?.keep("withLatestFrom", holding: Source.Element.self, { latest }, { latest = $0 })
            // The other source first, so that an element that it emits during its subscription is available.
            second.listen(group, capture) { event in
                serializer.run {
                    switch event {
                    case .next(let element): latest.value = element
                    case .error(let error): observer.onError(error)
                    case .completed: break
                    }
                }
            }
            first.listen(group, capture) { event in
                serializer.run {
                    switch event {
                    case .next(let element):
                        guard let latest = latest.value else { return }
                        observer.on(event.map { _ in try resultSelector(element, latest) })
                    case .error(let error): observer.onError(error)
                    case .completed: observer.onCompleted()
                    }
                }
            }
            capture?.finish(observer)
        })
    }

    /// Returns an observable that emits the latest element of `second` whenever this source emits. Nothing is emitted
    /// before the first element of `second`.
    @inlinable
    public func withLatestFrom<Source: ObservableConvertibleType>(_ second: Source) -> Observable<Source.Element> {
        withLatestFrom(second) { $1 }
    }

    /// Returns an observable that emits the latest element of this source whenever the sampler emits.
    ///
    /// If there was no new element since the last sample, it emits `defaultValue`, or nothing if that is nil. It completes at
    /// the first sample after this source has completed. As in RxSwift, the completion of the sampler counts as its last
    /// sample.
    public func sample<Source: ObservableType>(_ sampler: Source, defaultValue: Element? = nil) -> Observable<Element> {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let serializer = Serializer(group)
            var latest: Element?
            var hasEnded = false
            let capture = OperatorCapture.current(group, serializer)
            capture?.keep("sample", holding: Element.self) {
                SampleState(latest: CapturedValue(latest), hasEnded: hasEnded)
            } _: {
                (latest, hasEnded) = ($0.latest.value, $0.hasEnded)
            }
            stream.listen(group, capture) { event in
                serializer.run {
                    switch event {
                    case .next(let element): latest = element
                    case .error(let error): observer.onError(error)
                    case .completed: hasEnded = true
                    }
                }
            }
            sampler.listen(group, capture) { event in
                serializer.run {
                    if case .error(let error) = event { return observer.onError(error) }
                    let sampled = latest ?? defaultValue
                    // Cleared before the delivery, during which a new element may arrive.
                    latest = nil
                    if let sampled { observer.onNext(sampled) }
                    if hasEnded { observer.onCompleted() }
                }
            }
            capture?.finish(observer)
        })
    }
}

private struct SampleState<Element>: Codable {
    var latest: CapturedValue<Element>
    var hasEnded: Bool
}

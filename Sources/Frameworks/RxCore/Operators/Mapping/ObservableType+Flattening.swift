public import CombineCore
public import StateCapture

extension ObservableType {
    /// Returns an observable that merges the sources returned by the closure.
    ///
    /// In a session that is restored, the closure is called again with the elements whose sources were active, as with the
    /// other operators that flatten, so it should only create a source. Work that such a source had begun is not repeated: a
    /// `Single.create` completes without an element. Elements that cannot be captured, such as observables, keep the
    /// machine from being captured; create the sources in the closure of this operator instead.
    @inlinable
    public func flatMap<Source: ObservableConvertibleType>(_ selector: @escaping (Element) throws -> Source)
        -> Observable<Source.Element>
    {
        if StateRegistry.isWiring, let derived = asObservable() as? DerivedObservable<Element> {
            return derived.flatMap(deriving: selector)
        }
        // Combine's operators implement the merge; they are specialized in the client.
        return Observable(TrampolinedPublisher(source.tryMap { try selector($0).source }.flatMap { $0 }))
    }

    /// Returns an observable that emits the elements of the latest source returned by the closure, and disposes of the
    /// subscription to the previous one.
    @inlinable
    public func flatMapLatest<Source: ObservableConvertibleType>(_ selector: @escaping (Element) throws -> Source)
        -> Observable<Source.Element>
    {
        if StateRegistry.isWiring, let derived = asObservable() as? DerivedObservable<Element> {
            return derived.flatMapLatest(deriving: selector)
        }
        return Observable(TrampolinedPublisher(source.tryMap { try selector($0).source }.switchToLatest()))
    }

    /// Returns an infallible that emits the elements of the latest infallible returned by the closure.
    ///
    /// If this observable fails or the closure throws, the error terminates the result and is passed to
    /// ``Hooks/defaultErrorHandler``.
    public func flatMapLatest<Source: InfallibleType>(_ selector: @escaping (Element) throws -> Source)
        -> Infallible<Source.Element>
    {
        let latest: Observable<Source.Element> = flatMapLatest(selector)
        return Infallible(raw: latest)
    }

    /// Returns an observable that emits the elements of the sources returned by the closure, and ignores elements that
    /// arrive while such a source is active.
    public func flatMapFirst<Source: ObservableConvertibleType>(_ selector: @escaping (Element) throws -> Source)
        -> Observable<Source.Element>
    {
        merged(.init(name: "flatMapFirst", limit: 1, queuesExcess: false), selector)
    }

    /// Returns an observable that emits the elements of the sources returned by the closure, one source after another.
    public func concatMap<Source: ObservableConvertibleType>(_ selector: @escaping (Element) throws -> Source)
        -> Observable<Source.Element>
    {
        merged(.init(name: "concatMap", limit: 1, queuesExcess: true), selector)
    }

    /// Subscribes to at most `limit` sources at a time, and queues or drops the others.
    func merged<Source: ObservableConvertibleType>(
        _ rule: LimitedMerge<Element, Source>.Rule, _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let stream = asObservable()
        if StateRegistry.isWiring, let derived = stream as? DerivedObservable<Element> {
            return derived.merged(rule.name, rule.limit, rule.queuesExcess, selector)
        }
        return Observable(subscribe: { observer, group in
            let merging = LimitedMerge(observer, group, rule, selector)
            stream.listenUnserialized(group, merging.capture, merging.on)
            merging.begin()
            merging.capture?.finish(observer)
        })
    }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// Returns an observable that emits the elements of all inner sources as they arrive.
    public func merge() -> Observable<Element.Element> {
        flatMap { $0 }
    }

    /// Returns an observable that merges the inner sources, at most `maxConcurrent` at a time. The others are queued.
    public func merge(maxConcurrent: Int) -> Observable<Element.Element> {
        merged(.init(name: "merge", limit: maxConcurrent, queuesExcess: true)) { $0 }
    }

    /// Returns an observable that emits the elements of the sources, one source after another.
    public func concat() -> Observable<Element.Element> {
        concatMap { $0 }
    }

    /// Returns an observable that emits the elements of the latest inner source, and disposes of the subscription to
    /// the previous one.
    public func switchLatest() -> Observable<Element.Element> {
        flatMapLatest { $0 }
    }
}

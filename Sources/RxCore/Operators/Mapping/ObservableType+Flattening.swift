public import CombineCore

extension ObservableType {
    /// Returns an observable that merges the sources returned by the closure.
    ///
    /// In a session that is restored, sources that were active are lost, as with the other operators that flatten; the next
    /// element continues. Such a source follows from an element that was sent before, and the closure does not run twice.
    @inlinable
    public func flatMap<Source: ObservableConvertibleType>(_ selector: @escaping (Element) throws -> Source)
        -> Observable<Source.Element>
    {
        // Combine's operators implement the merge; they are specialized in the client.
        Observable(source.tryMap { try selector($0).source }.flatMap { $0 })
    }

    /// Returns an observable that emits the elements of the latest source returned by the closure, and disposes of the
    /// subscription to the previous one.
    @inlinable
    public func flatMapLatest<Source: ObservableConvertibleType>(_ selector: @escaping (Element) throws -> Source)
        -> Observable<Source.Element>
    {
        Observable(source.tryMap { try selector($0).source }.switchToLatest())
    }

    /// Returns an observable that emits the elements of the sources returned by the closure, and ignores elements that
    /// arrive while such a source is active.
    public func flatMapFirst<Source: ObservableConvertibleType>(_ selector: @escaping (Element) throws -> Source)
        -> Observable<Source.Element>
    {
        merged(maxConcurrent: 1, queuesExcess: false, selector)
    }

    /// Returns an observable that emits the elements of the sources returned by the closure, one source after another.
    public func concatMap<Source: ObservableConvertibleType>(_ selector: @escaping (Element) throws -> Source)
        -> Observable<Source.Element>
    {
        merged(maxConcurrent: 1, queuesExcess: true, selector)
    }

    /// Subscribes to at most `limit` sources at a time, and queues or drops the others.
    func merged<Source: ObservableConvertibleType>(
        maxConcurrent limit: Int, queuesExcess: Bool, _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let merging = LimitedMerge(observer, group, limit: limit, queuesExcess: queuesExcess, selector)
            stream.listen(group, merging.on)
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
        merged(maxConcurrent: maxConcurrent, queuesExcess: true) { $0 }
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

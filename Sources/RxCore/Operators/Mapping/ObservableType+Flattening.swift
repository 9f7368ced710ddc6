public import CombineCore

extension ObservableType {
    /// The elements of all the streams that the closure makes, as they come.
    @inlinable
    public func flatMap<Source: ObservableConvertibleType>(_ selector: @escaping (Element) throws -> Source)
        -> Observable<Source.Element>
    {
        Observable(source.tryMap { try selector($0).source }.flatMap { $0 })
    }

    /// The elements of the latest of the streams that the closure makes; the one before is left.
    @inlinable
    public func flatMapLatest<Source: ObservableConvertibleType>(_ selector: @escaping (Element) throws -> Source)
        -> Observable<Source.Element>
    {
        Observable(source.tryMap { try selector($0).source }.switchToLatest())
    }

    /// The elements of the streams that the closure makes; what comes while one of them goes on is ignored.
    public func flatMapFirst<Source: ObservableConvertibleType>(_ selector: @escaping (Element) throws -> Source)
        -> Observable<Source.Element>
    {
        merged(atOnce: 1, keepsOthers: false, selector)
    }

    /// The elements of the streams that the closure makes, one stream after another.
    public func concatMap<Source: ObservableConvertibleType>(_ selector: @escaping (Element) throws -> Source)
        -> Observable<Source.Element>
    {
        merged(atOnce: 1, keepsOthers: true, selector)
    }

    /// Listens to so many of the streams at once, and lets the others wait, or ignores them.
    func merged<Source: ObservableConvertibleType>(
        atOnce limit: Int, keepsOthers: Bool, _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            let merging = LimitedMerge(observer, group, limit: limit, keepsOthers: keepsOthers, selector)
            stream.listen(group, merging.on)
        })
    }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// The elements of all the streams, as they come.
    public func merge() -> Observable<Element.Element> {
        flatMap { $0 }
    }

    /// The elements of all the streams, of which at most `maxConcurrent` are listened to at once.
    public func merge(maxConcurrent: Int) -> Observable<Element.Element> {
        merged(atOnce: maxConcurrent, keepsOthers: true) { $0 }
    }

    /// The elements of the streams, one stream after another.
    public func concat() -> Observable<Element.Element> {
        concatMap { $0 }
    }

    /// The elements of the latest stream; the one before is left.
    public func switchLatest() -> Observable<Element.Element> {
        flatMapLatest { $0 }
    }
}

extension InfallibleType {
    /// Returns an infallible that merges the sources returned by the closure.
    public func flatMap<Result>(_ selector: @escaping (Element) -> Infallible<Result>) -> Infallible<Result> {
        Infallible(raw: asObservable().flatMap(selector))
    }

    /// Returns an infallible that merges the sources returned by the closure.
    ///
    /// If one of them fails, the error terminates the result and is passed to ``Hooks/defaultErrorHandler``.
    public func flatMap<Source: ObservableConvertibleType>(_ selector: @escaping (Element) -> Source)
        -> Infallible<Source.Element>
    {
        Infallible(raw: asObservable().flatMap(selector))
    }

    /// Returns an infallible that emits the elements of the latest source returned by the closure.
    public func flatMapLatest<Result>(_ selector: @escaping (Element) -> Infallible<Result>) -> Infallible<Result> {
        Infallible(raw: asObservable().flatMapLatest(selector))
    }

    /// Returns an infallible that emits the elements of the latest source returned by the closure. If that source
    /// fails, the error is handled as in `flatMap(_:)`.
    public func flatMapLatest<Source: ObservableConvertibleType>(_ selector: @escaping (Element) -> Source)
        -> Infallible<Source.Element>
    {
        Infallible(raw: asObservable().flatMapLatest(selector))
    }

    /// Returns an infallible that emits the elements of the sources returned by the closure, and ignores elements that
    /// arrive while such a source is active.
    public func flatMapFirst<Source: ObservableConvertibleType>(_ selector: @escaping (Element) -> Source)
        -> Infallible<Source.Element>
    {
        Infallible(raw: asObservable().flatMapFirst(selector))
    }

    /// Returns an infallible that emits the elements of the sources returned by the closure, one source after another.
    public func concatMap<Source: ObservableConvertibleType>(_ selector: @escaping (Element) -> Source)
        -> Infallible<Source.Element>
    {
        Infallible(raw: asObservable().concatMap(selector))
    }

    /// Returns an infallible that emits the elements of this source and then those of the other.
    public func concat<Source: ObservableConvertibleType>(_ second: Source) -> Infallible<Element>
    where Source.Element == Element {
        Infallible(raw: asObservable().concat(second))
    }

    /// Returns an infallible that emits the elements of the sources, one source after another.
    public static func concat<Sequence: Swift.Sequence>(_ sequence: Sequence) -> Infallible<Element>
    where Sequence.Element == Infallible<Element> {
        Infallible(raw: .concat(sequence.lazy.map { $0.asObservable() }))
    }

    /// Returns an infallible that emits the elements of the sources, one source after another.
    public static func concat<Collection: Swift.Collection>(_ collection: Collection) -> Infallible<Element>
    where Collection.Element == Infallible<Element> {
        Infallible(raw: .concat(collection.map { $0.asObservable() }))
    }

    /// Returns an infallible that emits the elements of the sources, one source after another.
    public static func concat(_ sources: Infallible<Element>...) -> Infallible<Element> {
        concat(sources)
    }

    /// Returns an infallible that emits the elements of all sources as they arrive and completes when all sources have
    /// completed.
    public static func merge<Collection: Swift.Collection>(_ sources: Collection) -> Infallible<Element>
    where Collection.Element == Infallible<Element> {
        Infallible(raw: .merge(sources.map { $0.asObservable() }))
    }

    /// Returns an infallible that emits the elements of all sources as they arrive and completes when all sources have
    /// completed.
    public static func merge(_ sources: [Infallible<Element>]) -> Infallible<Element> {
        Infallible(raw: .merge(sources.map { $0.asObservable() }))
    }

    /// Returns an infallible that emits the elements of all sources as they arrive and completes when all sources have
    /// completed.
    public static func merge(_ sources: Infallible<Element>...) -> Infallible<Element> {
        merge(sources)
    }
}

extension InfallibleType {
    /// The elements of all the streams that the closure makes.
    public func flatMap<Result>(_ selector: @escaping (Element) -> Infallible<Result>) -> Infallible<Result> {
        Infallible(raw: asObservable().flatMap(selector))
    }

    /// The elements of all the streams that the closure makes. If one of them fails although this stream may not, the error
    /// ends the stream and goes to ``Hooks/defaultErrorHandler``.
    public func flatMap<Source: ObservableConvertibleType>(_ selector: @escaping (Element) -> Source)
        -> Infallible<Source.Element>
    {
        Infallible(raw: asObservable().flatMap(selector))
    }

    /// The elements of the latest stream that the closure has made.
    public func flatMapLatest<Result>(_ selector: @escaping (Element) -> Infallible<Result>) -> Infallible<Result> {
        Infallible(raw: asObservable().flatMapLatest(selector))
    }

    /// The elements of the latest stream that the closure has made; see ``flatMap(_:)-((Element)->Source)`` for its failure.
    public func flatMapLatest<Source: ObservableConvertibleType>(_ selector: @escaping (Element) -> Source)
        -> Infallible<Source.Element>
    {
        Infallible(raw: asObservable().flatMapLatest(selector))
    }

    /// The elements of the streams that the closure makes; what comes while one of them goes on is ignored.
    public func flatMapFirst<Source: ObservableConvertibleType>(_ selector: @escaping (Element) -> Source)
        -> Infallible<Source.Element>
    {
        Infallible(raw: asObservable().flatMapFirst(selector))
    }

    /// The elements of the streams that the closure makes, one stream after another.
    public func concatMap<Source: ObservableConvertibleType>(_ selector: @escaping (Element) -> Source)
        -> Infallible<Source.Element>
    {
        Infallible(raw: asObservable().concatMap(selector))
    }

    /// The elements of this stream and then those of the other.
    public func concat<Source: ObservableConvertibleType>(_ second: Source) -> Infallible<Element>
    where Source.Element == Element {
        Infallible(raw: asObservable().concat(second))
    }

    /// The elements of the streams, one stream after another.
    public static func concat<Sequence: Swift.Sequence>(_ sequence: Sequence) -> Infallible<Element>
    where Sequence.Element == Infallible<Element> {
        Infallible(raw: .concat(sequence.lazy.map { $0.asObservable() }))
    }

    /// The elements of the streams, one stream after another.
    public static func concat<Collection: Swift.Collection>(_ collection: Collection) -> Infallible<Element>
    where Collection.Element == Infallible<Element> {
        Infallible(raw: .concat(collection.map { $0.asObservable() }))
    }

    /// The elements of the streams, one stream after another.
    public static func concat(_ sources: Infallible<Element>...) -> Infallible<Element> {
        concat(sources)
    }

    /// The elements of all the streams, as they come; the end when all have ended.
    public static func merge<Collection: Swift.Collection>(_ sources: Collection) -> Infallible<Element>
    where Collection.Element == Infallible<Element> {
        Infallible(raw: .merge(sources.map { $0.asObservable() }))
    }

    /// The elements of all the streams, as they come; the end when all have ended.
    public static func merge(_ sources: [Infallible<Element>]) -> Infallible<Element> {
        Infallible(raw: .merge(sources.map { $0.asObservable() }))
    }

    /// The elements of all the streams, as they come; the end when all have ended.
    public static func merge(_ sources: Infallible<Element>...) -> Infallible<Element> {
        merge(sources)
    }
}

/// An observable whose elements are derived from those of another one, its *origin*. The elements of the origin can be
/// captured, although its own cannot, such as pairs of an object and an element.
///
/// Operators that flatten then capture an element of the origin, and derive the other one again in a restored machine. The
/// type of the origin is known to the subclass only.
@usableFromInline
class DerivedObservable<Element>: Observable<Element> {
    @usableFromInline
    func flatMap<Source: ObservableConvertibleType>(deriving selector: @escaping (Element) throws -> Source)
        -> Observable<Source.Element>
    {
        preconditionFailure("\(Self.self) must override flatMap(deriving:)")
    }

    @usableFromInline
    func flatMapLatest<Source: ObservableConvertibleType>(deriving selector: @escaping (Element) throws -> Source)
        -> Observable<Source.Element>
    {
        preconditionFailure("\(Self.self) must override flatMapLatest(deriving:)")
    }

    func merged<Source: ObservableConvertibleType>(
        _ name: StaticString, _ limit: Int, _ queuesExcess: Bool, _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        preconditionFailure("\(Self.self) must override merged(_:_:_:_:)")
    }
}

/// An observable whose elements are derived from those of one with known elements.
final class Derivation<Origin, Element>: DerivedObservable<Element> {
    private let origin: Observable<Origin>
    private let derive: (Origin) throws -> Element

    /// Creates an observable with the events of `result`.
    init(_ result: Observable<Element>, origin: Observable<Origin>, _ derive: @escaping (Origin) throws -> Element) {
        self.origin = origin
        self.derive = derive
        super.init(result.source)
    }

    override func flatMap<Source: ObservableConvertibleType>(
        deriving selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let derive = derive
        return origin.flatMap { try selector(derive($0)) }
    }

    override func flatMapLatest<Source: ObservableConvertibleType>(
        deriving selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let derive = derive
        return origin.flatMapLatest { try selector(derive($0)) }
    }

    override func merged<Source: ObservableConvertibleType>(
        _ name: StaticString, _ limit: Int, _ queuesExcess: Bool, _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let derive = derive
        return origin.merged(.init(name: name, limit: limit, queuesExcess: queuesExcess)) { try selector(derive($0)) }
    }
}

// One overload for each arity, although `combine` takes a parameter pack: with packs in the signature, compiler 6.3 does not
// type-check closures such as `{ $0 + " " + $1 + String($2) }` in reasonable time.
extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Returns a single that applies the closure to the elements of all sources.
    public static func zip<E1, E2>(
        _ source1: Single<E1>, _ source2: Single<E2>,
        resultSelector: @escaping (E1, E2) throws -> Element
    ) -> Single<Element> {
        Single(raw: combine(.zip, source1, source2, selector: resultSelector))
    }

    /// Returns a single that applies the closure to the elements of all sources.
    public static func zip<E1, E2, E3>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>,
        resultSelector: @escaping (E1, E2, E3) throws -> Element
    ) -> Single<Element> {
        Single(raw: combine(.zip, source1, source2, source3, selector: resultSelector))
    }

    /// Returns a single that applies the closure to the elements of all sources.
    public static func zip<E1, E2, E3, E4>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        resultSelector: @escaping (E1, E2, E3, E4) throws -> Element
    ) -> Single<Element> {
        Single(raw: combine(.zip, source1, source2, source3, source4, selector: resultSelector))
    }

    /// Returns a single that applies the closure to the elements of all sources.
    public static func zip<E1, E2, E3, E4, E5>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        _ source5: Single<E5>,
        resultSelector: @escaping (E1, E2, E3, E4, E5) throws -> Element
    ) -> Single<Element> {
        Single(raw: combine(.zip, source1, source2, source3, source4, source5, selector: resultSelector))
    }

    /// Returns a single that applies the closure to the elements of all sources.
    public static func zip<E1, E2, E3, E4, E5, E6>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        _ source5: Single<E5>, _ source6: Single<E6>,
        resultSelector: @escaping (E1, E2, E3, E4, E5, E6) throws -> Element
    ) -> Single<Element> {
        Single(raw: combine(.zip, source1, source2, source3, source4, source5, source6, selector: resultSelector))
    }

    /// Returns a single that applies the closure to the elements of all sources.
    public static func zip<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        _ source5: Single<E5>, _ source6: Single<E6>, _ source7: Single<E7>,
        resultSelector: @escaping (E1, E2, E3, E4, E5, E6, E7) throws -> Element
    ) -> Single<Element> {
        Single(
            raw: combine(.zip, source1, source2, source3, source4, source5, source6, source7, selector: resultSelector))
    }

    /// Returns a single that applies the closure to the elements of all sources.
    public static func zip<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        _ source5: Single<E5>, _ source6: Single<E6>, _ source7: Single<E7>, _ source8: Single<E8>,
        resultSelector: @escaping (E1, E2, E3, E4, E5, E6, E7, E8) throws -> Element
    ) -> Single<Element> {
        Single(
            raw: combine(
                .zip, source1, source2, source3, source4, source5, source6, source7, source8, selector: resultSelector))
    }

    /// Returns a single that applies the closure to the elements of all sources.
    public static func zip<Collection: Swift.Collection, Result>(
        _ collection: Collection, resultSelector: @escaping ([Element]) throws -> Result
    ) -> Single<Result> where Collection.Element == Single<Element> {
        // An observable completes for an empty collection, but a single must have an element.
        guard !collection.isEmpty else { return Single<Result>.deferred { .just(try resultSelector([])) } }
        return Single<Result>(raw: combine(.zipCollection, all: collection.map(\.source), selector: resultSelector))
    }

    /// Returns a single with an array of the elements of all sources.
    public static func zip<Collection: Swift.Collection>(_ collection: Collection) -> Single<[Element]>
    where Collection.Element == Single<Element> {
        zip(collection) { $0 }
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait, Element == Any {
    /// Returns a single with a tuple of the elements of all sources.
    public static func zip<E1, E2>(
        _ source1: Single<E1>, _ source2: Single<E2>
    ) -> Single<(E1, E2)> {
        Single<(E1, E2)>(raw: combine(.zip, source1, source2) { ($0, $1) })
    }

    /// Returns a single with a tuple of the elements of all sources.
    public static func zip<E1, E2, E3>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>
    ) -> Single<(E1, E2, E3)> {
        Single<(E1, E2, E3)>(raw: combine(.zip, source1, source2, source3) { ($0, $1, $2) })
    }

    /// Returns a single with a tuple of the elements of all sources.
    public static func zip<E1, E2, E3, E4>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>
    ) -> Single<(E1, E2, E3, E4)> {
        Single<(E1, E2, E3, E4)>(raw: combine(.zip, source1, source2, source3, source4) { ($0, $1, $2, $3) })
    }

    /// Returns a single with a tuple of the elements of all sources.
    public static func zip<E1, E2, E3, E4, E5>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        _ source5: Single<E5>
    ) -> Single<(E1, E2, E3, E4, E5)> {
        Single<(E1, E2, E3, E4, E5)>(
            raw: combine(.zip, source1, source2, source3, source4, source5) { ($0, $1, $2, $3, $4) })
    }

    /// Returns a single with a tuple of the elements of all sources.
    public static func zip<E1, E2, E3, E4, E5, E6>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        _ source5: Single<E5>, _ source6: Single<E6>
    ) -> Single<(E1, E2, E3, E4, E5, E6)> {
        Single<(E1, E2, E3, E4, E5, E6)>(
            raw: combine(.zip, source1, source2, source3, source4, source5, source6) { ($0, $1, $2, $3, $4, $5) })
    }

    /// Returns a single with a tuple of the elements of all sources.
    public static func zip<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        _ source5: Single<E5>, _ source6: Single<E6>, _ source7: Single<E7>
    ) -> Single<(E1, E2, E3, E4, E5, E6, E7)> {
        Single<(E1, E2, E3, E4, E5, E6, E7)>(
            raw: combine(
                .zip, source1, source2, source3, source4, source5, source6, source7
            ) { ($0, $1, $2, $3, $4, $5, $6) })
    }

    /// Returns a single with a tuple of the elements of all sources.
    public static func zip<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        _ source5: Single<E5>, _ source6: Single<E6>, _ source7: Single<E7>, _ source8: Single<E8>
    ) -> Single<(E1, E2, E3, E4, E5, E6, E7, E8)> {
        Single<(E1, E2, E3, E4, E5, E6, E7, E8)>(
            raw: combine(
                .zip, source1, source2, source3, source4, source5, source6, source7, source8
            ) { ($0, $1, $2, $3, $4, $5, $6, $7) })
    }
}

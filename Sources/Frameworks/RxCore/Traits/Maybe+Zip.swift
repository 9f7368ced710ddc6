// One overload for each arity, although `combine` takes a parameter pack: with packs in the signature, compiler 6.3 does not
// type-check closures such as `{ $0 + " " + $1 + String($2) }` in reasonable time.
extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// Returns a maybe that applies the closure to the elements of all sources. It completes without an element if one
    /// of them does.
    public static func zip<E1, E2>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>,
        resultSelector: @escaping (E1, E2) throws -> Element
    ) -> Maybe<Element> {
        Maybe(raw: combine(.zip, source1, source2, selector: resultSelector))
    }

    /// Returns a maybe that applies the closure to the elements of all sources. It completes without an element if one
    /// of them does.
    public static func zip<E1, E2, E3>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>,
        resultSelector: @escaping (E1, E2, E3) throws -> Element
    ) -> Maybe<Element> {
        Maybe(raw: combine(.zip, source1, source2, source3, selector: resultSelector))
    }

    /// Returns a maybe that applies the closure to the elements of all sources. It completes without an element if one
    /// of them does.
    public static func zip<E1, E2, E3, E4>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>,
        resultSelector: @escaping (E1, E2, E3, E4) throws -> Element
    ) -> Maybe<Element> {
        Maybe(raw: combine(.zip, source1, source2, source3, source4, selector: resultSelector))
    }

    /// Returns a maybe that applies the closure to the elements of all sources. It completes without an element if one
    /// of them does.
    public static func zip<E1, E2, E3, E4, E5>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>, _ source5: Maybe<E5>,
        resultSelector: @escaping (E1, E2, E3, E4, E5) throws -> Element
    ) -> Maybe<Element> {
        Maybe(raw: combine(.zip, source1, source2, source3, source4, source5, selector: resultSelector))
    }

    /// Returns a maybe that applies the closure to the elements of all sources. It completes without an element if one
    /// of them does.
    public static func zip<E1, E2, E3, E4, E5, E6>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>, _ source5: Maybe<E5>,
        _ source6: Maybe<E6>,
        resultSelector: @escaping (E1, E2, E3, E4, E5, E6) throws -> Element
    ) -> Maybe<Element> {
        Maybe(raw: combine(.zip, source1, source2, source3, source4, source5, source6, selector: resultSelector))
    }

    /// Returns a maybe that applies the closure to the elements of all sources. It completes without an element if one
    /// of them does.
    public static func zip<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>, _ source5: Maybe<E5>,
        _ source6: Maybe<E6>, _ source7: Maybe<E7>,
        resultSelector: @escaping (E1, E2, E3, E4, E5, E6, E7) throws -> Element
    ) -> Maybe<Element> {
        Maybe(
            raw: combine(.zip, source1, source2, source3, source4, source5, source6, source7, selector: resultSelector))
    }

    /// Returns a maybe that applies the closure to the elements of all sources. It completes without an element if one
    /// of them does.
    public static func zip<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>, _ source5: Maybe<E5>,
        _ source6: Maybe<E6>, _ source7: Maybe<E7>, _ source8: Maybe<E8>,
        resultSelector: @escaping (E1, E2, E3, E4, E5, E6, E7, E8) throws -> Element
    ) -> Maybe<Element> {
        Maybe(
            raw: combine(
                .zip, source1, source2, source3, source4, source5, source6, source7, source8, selector: resultSelector))
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait, Element == Any {
    /// Returns a maybe with a tuple of the elements of all sources.
    public static func zip<E1, E2>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>
    ) -> Maybe<(E1, E2)> {
        Maybe<(E1, E2)>(raw: combine(.zip, source1, source2) { ($0, $1) })
    }

    /// Returns a maybe with a tuple of the elements of all sources.
    public static func zip<E1, E2, E3>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>
    ) -> Maybe<(E1, E2, E3)> {
        Maybe<(E1, E2, E3)>(raw: combine(.zip, source1, source2, source3) { ($0, $1, $2) })
    }

    /// Returns a maybe with a tuple of the elements of all sources.
    public static func zip<E1, E2, E3, E4>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>
    ) -> Maybe<(E1, E2, E3, E4)> {
        Maybe<(E1, E2, E3, E4)>(raw: combine(.zip, source1, source2, source3, source4) { ($0, $1, $2, $3) })
    }

    /// Returns a maybe with a tuple of the elements of all sources.
    public static func zip<E1, E2, E3, E4, E5>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>, _ source5: Maybe<E5>
    ) -> Maybe<(E1, E2, E3, E4, E5)> {
        Maybe<(E1, E2, E3, E4, E5)>(
            raw: combine(.zip, source1, source2, source3, source4, source5) { ($0, $1, $2, $3, $4) })
    }

    /// Returns a maybe with a tuple of the elements of all sources.
    public static func zip<E1, E2, E3, E4, E5, E6>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>, _ source5: Maybe<E5>,
        _ source6: Maybe<E6>
    ) -> Maybe<(E1, E2, E3, E4, E5, E6)> {
        Maybe<(E1, E2, E3, E4, E5, E6)>(
            raw: combine(.zip, source1, source2, source3, source4, source5, source6) { ($0, $1, $2, $3, $4, $5) })
    }

    /// Returns a maybe with a tuple of the elements of all sources.
    public static func zip<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>, _ source5: Maybe<E5>,
        _ source6: Maybe<E6>, _ source7: Maybe<E7>
    ) -> Maybe<(E1, E2, E3, E4, E5, E6, E7)> {
        Maybe<(E1, E2, E3, E4, E5, E6, E7)>(
            raw: combine(
                .zip, source1, source2, source3, source4, source5, source6, source7
            ) { ($0, $1, $2, $3, $4, $5, $6) })
    }

    /// Returns a maybe with a tuple of the elements of all sources.
    public static func zip<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>, _ source5: Maybe<E5>,
        _ source6: Maybe<E6>, _ source7: Maybe<E7>, _ source8: Maybe<E8>
    ) -> Maybe<(E1, E2, E3, E4, E5, E6, E7, E8)> {
        Maybe<(E1, E2, E3, E4, E5, E6, E7, E8)>(
            raw: combine(
                .zip, source1, source2, source3, source4, source5, source6, source7, source8
            ) { ($0, $1, $2, $3, $4, $5, $6, $7) })
    }
}

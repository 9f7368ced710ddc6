// One overload for each arity, although `combine` takes a parameter pack: with packs in the signature, compiler 6.3 does not
// type-check closures such as `{ $0 + " " + $1 + String($2) }` in reasonable time.
extension Infallible {
    /// Returns an infallible that applies the closure to the latest elements whenever a source emits and every source
    /// has emitted.
    public static func combineLatest<E1, E2>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>,
        resultSelector: @escaping (E1, E2) throws -> Element
    ) -> Infallible<Element> {
        Infallible(raw: combine(.latest, source1, source2, selector: resultSelector))
    }

    /// Returns an infallible that applies the closure to the elements at the same position of each source.
    public static func zip<E1, E2>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>,
        resultSelector: @escaping (E1, E2) throws -> Element
    ) -> Infallible<Element> {
        Infallible(raw: combine(.zip, source1, source2, selector: resultSelector))
    }

    /// Returns an infallible that applies the closure to the latest elements whenever a source emits and every source
    /// has emitted.
    public static func combineLatest<E1, E2, E3>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>,
        resultSelector: @escaping (E1, E2, E3) throws -> Element
    ) -> Infallible<Element> {
        Infallible(raw: combine(.latest, source1, source2, source3, selector: resultSelector))
    }

    /// Returns an infallible that applies the closure to the elements at the same position of each source.
    public static func zip<E1, E2, E3>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>,
        resultSelector: @escaping (E1, E2, E3) throws -> Element
    ) -> Infallible<Element> {
        Infallible(raw: combine(.zip, source1, source2, source3, selector: resultSelector))
    }

    /// Returns an infallible that applies the closure to the latest elements whenever a source emits and every source
    /// has emitted.
    public static func combineLatest<E1, E2, E3, E4>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>, _ source4: Infallible<E4>,
        resultSelector: @escaping (E1, E2, E3, E4) throws -> Element
    ) -> Infallible<Element> {
        Infallible(raw: combine(.latest, source1, source2, source3, source4, selector: resultSelector))
    }

    /// Returns an infallible that applies the closure to the elements at the same position of each source.
    public static func zip<E1, E2, E3, E4>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>, _ source4: Infallible<E4>,
        resultSelector: @escaping (E1, E2, E3, E4) throws -> Element
    ) -> Infallible<Element> {
        Infallible(raw: combine(.zip, source1, source2, source3, source4, selector: resultSelector))
    }

    /// Returns an infallible that applies the closure to the latest elements whenever a source emits and every source
    /// has emitted.
    public static func combineLatest<E1, E2, E3, E4, E5>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>, _ source4: Infallible<E4>,
        _ source5: Infallible<E5>,
        resultSelector: @escaping (E1, E2, E3, E4, E5) throws -> Element
    ) -> Infallible<Element> {
        Infallible(raw: combine(.latest, source1, source2, source3, source4, source5, selector: resultSelector))
    }

    /// Returns an infallible that applies the closure to the elements at the same position of each source.
    public static func zip<E1, E2, E3, E4, E5>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>, _ source4: Infallible<E4>,
        _ source5: Infallible<E5>,
        resultSelector: @escaping (E1, E2, E3, E4, E5) throws -> Element
    ) -> Infallible<Element> {
        Infallible(raw: combine(.zip, source1, source2, source3, source4, source5, selector: resultSelector))
    }

    /// Returns an infallible that applies the closure to the latest elements whenever a source emits and every source
    /// has emitted.
    public static func combineLatest<E1, E2, E3, E4, E5, E6>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>, _ source4: Infallible<E4>,
        _ source5: Infallible<E5>, _ source6: Infallible<E6>,
        resultSelector: @escaping (E1, E2, E3, E4, E5, E6) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            raw: combine(.latest, source1, source2, source3, source4, source5, source6, selector: resultSelector))
    }

    /// Returns an infallible that applies the closure to the elements at the same position of each source.
    public static func zip<E1, E2, E3, E4, E5, E6>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>, _ source4: Infallible<E4>,
        _ source5: Infallible<E5>, _ source6: Infallible<E6>,
        resultSelector: @escaping (E1, E2, E3, E4, E5, E6) throws -> Element
    ) -> Infallible<Element> {
        Infallible(raw: combine(.zip, source1, source2, source3, source4, source5, source6, selector: resultSelector))
    }

    /// Returns an infallible that applies the closure to the latest elements whenever a source emits and every source
    /// has emitted.
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>, _ source4: Infallible<E4>,
        _ source5: Infallible<E5>, _ source6: Infallible<E6>, _ source7: Infallible<E7>,
        resultSelector: @escaping (E1, E2, E3, E4, E5, E6, E7) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            raw: combine(
                .latest, source1, source2, source3, source4, source5, source6, source7, selector: resultSelector))
    }

    /// Returns an infallible that applies the closure to the elements at the same position of each source.
    public static func zip<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>, _ source4: Infallible<E4>,
        _ source5: Infallible<E5>, _ source6: Infallible<E6>, _ source7: Infallible<E7>,
        resultSelector: @escaping (E1, E2, E3, E4, E5, E6, E7) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            raw: combine(.zip, source1, source2, source3, source4, source5, source6, source7, selector: resultSelector))
    }

    /// Returns an infallible that applies the closure to the latest elements whenever a source emits and every source
    /// has emitted.
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>, _ source4: Infallible<E4>,
        _ source5: Infallible<E5>, _ source6: Infallible<E6>, _ source7: Infallible<E7>, _ source8: Infallible<E8>,
        resultSelector: @escaping (E1, E2, E3, E4, E5, E6, E7, E8) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            raw: combine(
                .latest, source1, source2, source3, source4, source5, source6, source7, source8,
                selector: resultSelector))
    }

    /// Returns an infallible that applies the closure to the elements at the same position of each source.
    public static func zip<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>, _ source4: Infallible<E4>,
        _ source5: Infallible<E5>, _ source6: Infallible<E6>, _ source7: Infallible<E7>, _ source8: Infallible<E8>,
        resultSelector: @escaping (E1, E2, E3, E4, E5, E6, E7, E8) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            raw: combine(
                .zip, source1, source2, source3, source4, source5, source6, source7, source8, selector: resultSelector))
    }

    /// Returns an infallible that applies the closure to the latest elements whenever a source emits and every source
    /// has emitted.
    public static func combineLatest<Collection: Swift.Collection>(
        _ collection: Collection, resultSelector: @escaping ([Collection.Element.Element]) throws -> Element
    ) -> Infallible<Element> where Collection.Element: ObservableConvertibleType {
        Infallible(raw: combine(.latest, all: collection.map { $0.asObservable() }, selector: resultSelector))
    }

    /// Returns an infallible that emits an array of the latest elements whenever a source emits and every source has
    /// emitted.
    public static func combineLatest<Collection: Swift.Collection>(_ collection: Collection) -> Infallible<[Element]>
    where Collection.Element == Infallible<Element> {
        Infallible<[Element]>.combineLatest(collection) { $0 }
    }
}

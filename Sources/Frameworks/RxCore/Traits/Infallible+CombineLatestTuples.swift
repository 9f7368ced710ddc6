// One overload for each arity, although `combine` takes a parameter pack: of a tuple that comes from a pack, compiler 6.3 does
// not find the members in closures such as `{ $0.2 }`.
extension InfallibleType where Element == Any {
    /// Returns an infallible that emits a tuple of the latest elements whenever a source emits and every source has
    /// emitted.
    public static func combineLatest<E1, E2>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>
    ) -> Infallible<(E1, E2)> {
        Infallible<(E1, E2)>(raw: combine(.latest, source1, source2) { ($0, $1) })
    }

    /// Returns an infallible that emits a tuple of the latest elements whenever a source emits and every source has
    /// emitted.
    public static func combineLatest<E1, E2, E3>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>
    ) -> Infallible<(E1, E2, E3)> {
        Infallible<(E1, E2, E3)>(raw: combine(.latest, source1, source2, source3) { ($0, $1, $2) })
    }

    /// Returns an infallible that emits a tuple of the latest elements whenever a source emits and every source has
    /// emitted.
    public static func combineLatest<E1, E2, E3, E4>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>, _ source4: Infallible<E4>
    ) -> Infallible<(E1, E2, E3, E4)> {
        Infallible<(E1, E2, E3, E4)>(raw: combine(.latest, source1, source2, source3, source4) { ($0, $1, $2, $3) })
    }

    /// Returns an infallible that emits a tuple of the latest elements whenever a source emits and every source has
    /// emitted.
    public static func combineLatest<E1, E2, E3, E4, E5>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>, _ source4: Infallible<E4>,
        _ source5: Infallible<E5>
    ) -> Infallible<(E1, E2, E3, E4, E5)> {
        Infallible<(E1, E2, E3, E4, E5)>(
            raw: combine(.latest, source1, source2, source3, source4, source5) { ($0, $1, $2, $3, $4) })
    }

    /// Returns an infallible that emits a tuple of the latest elements whenever a source emits and every source has
    /// emitted.
    public static func combineLatest<E1, E2, E3, E4, E5, E6>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>, _ source4: Infallible<E4>,
        _ source5: Infallible<E5>, _ source6: Infallible<E6>
    ) -> Infallible<(E1, E2, E3, E4, E5, E6)> {
        Infallible<(E1, E2, E3, E4, E5, E6)>(
            raw: combine(.latest, source1, source2, source3, source4, source5, source6) { ($0, $1, $2, $3, $4, $5) })
    }

    /// Returns an infallible that emits a tuple of the latest elements whenever a source emits and every source has
    /// emitted.
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>, _ source4: Infallible<E4>,
        _ source5: Infallible<E5>, _ source6: Infallible<E6>, _ source7: Infallible<E7>
    ) -> Infallible<(E1, E2, E3, E4, E5, E6, E7)> {
        Infallible<(E1, E2, E3, E4, E5, E6, E7)>(
            raw: combine(
                .latest, source1, source2, source3, source4, source5, source6, source7
            ) { ($0, $1, $2, $3, $4, $5, $6) })
    }

    /// Returns an infallible that emits a tuple of the latest elements whenever a source emits and every source has
    /// emitted.
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: Infallible<E1>, _ source2: Infallible<E2>, _ source3: Infallible<E3>, _ source4: Infallible<E4>,
        _ source5: Infallible<E5>, _ source6: Infallible<E6>, _ source7: Infallible<E7>, _ source8: Infallible<E8>
    ) -> Infallible<(E1, E2, E3, E4, E5, E6, E7, E8)> {
        Infallible<(E1, E2, E3, E4, E5, E6, E7, E8)>(
            raw: combine(
                .latest, source1, source2, source3, source4, source5, source6, source7, source8
            ) { ($0, $1, $2, $3, $4, $5, $6, $7) })
    }
}

import CombineCore
import FoundationEssentials
import StateCapture

/// The values of a hosted session that a reducer cannot compute: random ones, which depend on the session's seed, and the
/// time on the session's clock. So a restored session continues its series, and a replayed one repeats it.
struct SessionSeries: Sendable {
    let random: SessionRandom
    private let clockOffset: Int64
    private let clock: StoredClock?
    private let session: (any MainSubstitute)?

    /// The series of the session whose machine the calling thread is wiring; nil outside of a captured session.
    static var wired: SessionSeries? {
        StateRegistry.current.map { registry in
            SessionSeries(
                random: registry.random, clockOffset: registry.clockOffset, clock: registry.clock,
                session: MainContext.current)
        }
    }

    /// Returns a random UUID (version 4): of the session's series, in a hosted session that is captured.
    static func nextUUID() -> UUID {
        guard let scope = EffectScope.current else { return wired?.uuid() ?? UUID() }
        return scope.series?.uuid() ?? UUID()
    }

    func uuid() -> UUID {
        // The bits of version 4 and of the variant of RFC 9562.
        let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * index)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4),
                byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }

    /// The wall time, which advances with the session's clock unless the wall clock is set.
    var now: Date {
        guard let session else { return Date() }
        let lead = Double(clock?.deriveWallLead() ?? 0) * 1_000_000
        let nanoseconds = session.now / .nanoseconds(1) + Double(clockOffset) + lead
        return Date(timeIntervalSince1970: nanoseconds / 1_000_000_000)
    }
}

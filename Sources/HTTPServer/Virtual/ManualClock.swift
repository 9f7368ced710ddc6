/// The time of loops that are run by hand: it stands still until it is set. Touched on the one thread that runs them.
final class ManualClock {
    var nanoseconds: UInt64

    init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }
}

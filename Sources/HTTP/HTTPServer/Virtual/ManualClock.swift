/// The clock of loops that are run manually. It advances only when it is set. Touched by the thread that runs the loops
/// only.
final class ManualClock {
    var nanoseconds: UInt64

    init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }
}

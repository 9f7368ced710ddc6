import HTTPModel
import Testing

@Suite struct MonotonicTimeTests {
    private let time = MonotonicTime(nanoseconds: 5_000_000_000)

    @Test func `durations lead from one point to another and back`() {
        let later = time + .milliseconds(1_500)
        #expect(later.nanoseconds == 6_500_000_000)
        #expect(later - time == .milliseconds(1_500))
        #expect(time - later == .milliseconds(-1_500))
        #expect(time < later)
    }

    @Test func `nothing is before the beginning`() {
        #expect(time + .seconds(-2) == MonotonicTime(nanoseconds: 3_000_000_000))
        #expect(time + .seconds(-6) == MonotonicTime(nanoseconds: 0))
    }

    @Test func `whole nanoseconds stop at what 64 bits hold`() {
        #expect(Duration.milliseconds(2).wholeNanoseconds == 2_000_000)
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
    }
}

import HTTPModel
import Testing

@Suite struct MonotonicTimeTests {
    private let time = MonotonicTime(nanoseconds: 5_000_000_000)

    @Test func `adding and subtracting durations are consistent`() {
        let later = time + .milliseconds(1_500)
        #expect(later.nanoseconds == 6_500_000_000)
        #expect(later - time == .milliseconds(1_500))
        #expect(time - later == .milliseconds(-1_500))
        #expect(time < later)
    }

    @Test func `a time before the origin is clamped to it`() {
        #expect(time + .seconds(-2) == MonotonicTime(nanoseconds: 3_000_000_000))
        #expect(time + .seconds(-6) == MonotonicTime(nanoseconds: 0))
    }

    @Test func `nanoseconds are clamped to the range of 64 bits`() {
        #expect(Duration.milliseconds(2).wholeNanoseconds == 2_000_000)
        #expect(Duration.microseconds(2_999).wholeMilliseconds == 2)
        #expect(Duration.microseconds(-2_999).wholeMilliseconds == -2)
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
    }
}

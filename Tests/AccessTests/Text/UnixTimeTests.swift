import Access
import Testing

@Suite struct UnixTimeTests {
    @Test func `sums and differences are clamped`() {
        let late = UnixTime(milliseconds: .max)
        #expect(late + .seconds(1) == late)
        #expect(UnixTime(milliseconds: .min) - .seconds(1) == UnixTime(milliseconds: .min))
        #expect(UnixTime(seconds: .max) == late)
        #expect(UnixTime(seconds: 0) + .seconds(Int64.max) == late)
        #expect(late - UnixTime(milliseconds: .min) == .milliseconds(Int64.max))
    }

    @Test func `seconds are rounded down`() {
        #expect(UnixTime(milliseconds: 1999).seconds == 1)
        #expect(UnixTime(milliseconds: -1).seconds == -1)
        #expect(UnixTime(seconds: 5) + .milliseconds(1500) == UnixTime(milliseconds: 6500))
        #expect(UnixTime(seconds: 5) - .milliseconds(1500) == UnixTime(milliseconds: 3500))
        #expect(UnixTime(seconds: 5) - UnixTime(seconds: 2) == .seconds(3))
    }
}

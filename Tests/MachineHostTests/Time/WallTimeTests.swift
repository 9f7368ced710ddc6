import Testing

@testable import MachineHost

struct WallTimeTests {
    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
        (951_782_400, "2000-02-29T00:00:00Z"),
        (1_767_225_599, "2025-12-31T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
        (-62_167_219_200, "0000-01-01T00:00:00Z"), (.min, "0000-01-01T00:00:00Z"),
        (.max, "9999-12-31T23:59:59Z"),
    ])
    func `a time is written in the format of RFC 3339`(seconds: Int64, text: String) {
        var bytes: [UInt8] = []
        WallTime(seconds: seconds).append(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test func `a duration carries into the seconds`() {
        let time = WallTime(seconds: 10, nanoseconds: 999_999_999)
        #expect(time + .nanoseconds(1) == WallTime(seconds: 11))
        #expect(time + .milliseconds(2_500) == WallTime(seconds: 13, nanoseconds: 499_999_999))
        #expect(WallTime(seconds: 10) + .nanoseconds(-1) == WallTime(seconds: 9, nanoseconds: 999_999_999))
    }

    @Test func `the system's clock is not set to a year before this package was written`() {
        #expect(WallTime.now().seconds > 1_767_225_600)
    }
}

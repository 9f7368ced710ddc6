import Testing

@testable import Granary

struct QuantityTextTests {
    @Test(arguments: [
        ("15s", Duration.seconds(15)), ("250ms", .milliseconds(250)), ("1h", .seconds(3600)),
        ("1h30m", .seconds(5400)), ("0ms", .zero), ("2m", .seconds(120)),
    ])
    func `a duration is parsed with its unit`(text: String, expected: Duration) {
        #expect(Duration(text: text) == expected)
    }

    @Test(arguments: [
        "15", "s", "", "-1s", "1.5s", "1 s", "15S", "1s2", "9223372036854775807h", "9223372036854775807ms1ms",
    ])
    func `an invalid duration is rejected`(text: String) {
        #expect(Duration(text: text) == nil)
    }

    @Test(arguments: [
        ("1ms", Duration.milliseconds(1)), ("90s", .seconds(90)), ("2m", .seconds(120)), ("1h", .seconds(3600)),
        ("0ms", .zero),
    ])
    func `a duration is written with the largest unit that is exact`(text: String, duration: Duration) {
        #expect(duration.text == text)
    }

    @Test(arguments: [("512B", 512), ("64KiB", 65536), ("1MiB", 1_048_576), ("2GiB", 2_147_483_648)])
    func `a size survives a round trip through its text`(text: String, bytes: Int) {
        #expect(ByteCount(text: text) == ByteCount(bytes: bytes))
        #expect(ByteCount(bytes: bytes).text == text)
    }

    @Test(arguments: ["64", "64KB", "64kib", "KiB", "-1B"])
    func `an invalid size is rejected`(text: String) {
        #expect(ByteCount(text: text) == nil)
    }

    @Test func `a number in a file is not a duration, because it has no unit`() {
        let format = ConfigurationFormat.duration(in: .anyTime)
        #expect(format.read(.json(.number(15))) == nil)
        #expect(format.read(.json(.string("15s"))) == .seconds(15))
    }
}

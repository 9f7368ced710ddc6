import Testing

@testable import HTTPServer

@Suite struct ByteRangesTests {
    @Test(arguments: [
        ("bytes=0-0", [0..<1]), ("bytes=0-", [0..<100]), ("bytes=-1", [99..<100]), ("bytes=-1000", [0..<100]),
        ("bytes=10-19", [10..<20]), ("BYTES=10-1000", [10..<100]), ("bytes=99-99999999999999999999999", [99..<100]),
        ("bytes=0-1, 5-6", [0..<2, 5..<7]), ("bytes= 5-6 ,,\t0-1 ", [5..<7, 0..<2]), ("bytes=0-1,200-300", [0..<2]),
        ("bytes=-0,-2", [98..<100]), ("bytes=000-001", [0..<2]),
    ])
    func `ranges are clamped to the length of the content`(_ text: String, _ expected: [Range<Int>]) {
        #expect(ByteRanges(text, length: 100) == .parts(expected))
    }

    @Test(arguments: ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999-", "bytes=200-,300-"])
    func `ranges beyond the end are unsatisfiable`(_ text: String) {
        #expect(ByteRanges(text, length: 100) == .unsatisfiable)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=a-b", "bytes=5", "bytes=5-4", "bytes=0x0-1", "bytes=+1-2",
        "bytes=0-1-2", "bytes 0-1", "lines=0-1", "bytes=0-1;2-3", "bytes=0 - 1", "bytes=--1", "bytes=0-1,x",
    ])
    func `an invalid range is ignored`(_ text: String) {
        #expect(ByteRanges(text, length: 100) == .whole)
    }

    @Test func `too many ranges, or ranges that exceed the content in total, select the whole content`() {
        let many = (0..<17).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ",")
        #expect(ByteRanges("bytes=\(many)", length: 100) == .whole)
        #expect(ByteRanges("bytes=0-,0-", length: 100) == .whole)
        #expect(ByteRanges("bytes=0-99,0-0", length: 100) == .whole)
        #expect(ByteRanges("bytes=0-49,50-99", length: 100) == .parts([0..<50, 50..<100]))
    }

    @Test func `empty content has no ranges`() {
        #expect(ByteRanges("bytes=0-0", length: 0) == .whole)
    }
}

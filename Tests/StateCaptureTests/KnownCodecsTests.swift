import Testing

@testable import StateCapture

@Suite struct KnownCodecsTests {
    private struct Point {
        var x: Int
        var label: String?
    }

    private final class Handle {}

    private struct Held {
        var handle: Handle
    }

    @Test func `sessions share the codec of a type`() throws {
        let first = try #require(KnownCodecs.codec(of: Point.self))
        #expect(KnownCodecs.codec(of: Point.self) === first)
        var reading = CodecReading()
        #expect(KnownCodecs.codec(of: Point.self, &reading, at: "point") === first)
    }

    private struct Reply: Codable {
        var replies: [Reply] = []
    }

    @Test(arguments: [1, 254, 255, 256, 2000])
    func `what is captured can be restored, and a state that is too deep is not captured`(count: Int) throws {
        let codec = try #require(KnownCodecs.codec(of: Reply.self))
        let reply = (1..<count).reduce(Reply()) { reply, _ in Reply(replies: [reply]) }
        var json: [UInt8] = []
        guard count <= 255 else {
            #expect(throws: StateTooDeep.self) { try codec.appendState(reply, to: &json) }
            return
        }
        try codec.appendState(reply, to: &json)
        #expect(StateTooDeep.levels(of: json[...]) == 2 * count)
        var depth = 1
        var restored = try codec.restore(json[...])
        while let next = restored.replies.first { (restored, depth) = (next, depth + 1) }
        #expect(depth == count)
    }

    @Test func `brackets in strings are no levels`() {
        #expect(StateTooDeep.levels(of: Array(#"["[{\"[","\\",{"a\"]":[]}]"#.utf8)[...]) == 3)
        #expect(StateTooDeep.levels(of: Array("7".utf8)[...]) == 0)
    }

    @Test func `a type that cannot be captured has no codec, and each reading names the obstacle`() {
        for path in ["first", "second"] {
            var reading = CodecReading()
            #expect(KnownCodecs.codec(of: Held.self, &reading, at: path) == nil)
            #expect(reading.obstacles.count == 1 && "\(reading.obstacles)".contains(path), "\(reading.obstacles)")
        }
    }
}

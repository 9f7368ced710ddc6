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

    @Test func `a type that cannot be captured has no codec, and each reading names the obstacle`() {
        for path in ["first", "second"] {
            var reading = CodecReading()
            #expect(KnownCodecs.codec(of: Held.self, &reading, at: path) == nil)
            #expect(reading.obstacles.count == 1 && "\(reading.obstacles)".contains(path), "\(reading.obstacles)")
        }
    }
}

import HTTPModel
import HTTPServerTesting
import Testing

@testable import HTTP2

@Suite struct FrameMeterTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)
    private let limits: HTTP2Limits

    init() {
        var limits = HTTP2Limits()
        limits.worklessFrames = 10
        limits.worklessFramesPerSecond = 2
        self.limits = limits
    }

    private func measure(_ meter: inout FrameMeter, _ bytes: [UInt8], after time: Duration = .zero) -> (
        Int, HTTP2Ending?
    ) {
        bytes.withUnsafeBytes { meter.measure($0, now: start + time) }
    }

    /// Returns a meter that has consumed the preface.
    private func meter() -> FrameMeter {
        var meter = FrameMeter(limits: limits, now: start)
        _ = measure(&meter, HTTP2Preface.bytes)
        return meter
    }

    @Test func `frames count wherever the bytes are split, except content that does not end a stream`() {
        let content = Frame.data(1, Array(repeating: 7, count: 20), endsStream: false)
        let frames = [Frame.ping(), content, content, .ping(), content, .ping(), content]
        let bytes = frames.flatMap(\.bytes)
        // The bytes after the second ping remain.
        let expected = frames.prefix(4).flatMap(\.bytes).count
        for size in 1...bytes.count {
            var meter = meter()
            meter.framesLeft = 2
            var taken = 0
            while taken < bytes.count {
                let (count, ending) = measure(&meter, Array(bytes[taken...].prefix(size)))
                #expect(ending == nil)
                if count == 0 { break }
                taken += count
            }
            #expect(taken == expected, "in pieces of \(size)")
            meter.framesLeft = 9
            #expect(measure(&meter, Array(bytes[taken...])).0 == bytes.count - taken)
        }
    }

    @Test func `the flood starts at the first frame over the budget, wherever the bytes are split`() {
        let pings = (0..<12).flatMap { _ in Frame.ping().bytes }
        for size in 1...pings.count {
            var meter = meter()
            var taken = 0
            var ending: HTTP2Ending?
            var rest = pings[...]
            while !rest.isEmpty, ending == nil {
                let piece = Array(rest.prefix(size))
                let (count, reason) = measure(&meter, piece)
                taken += count
                ending = reason
                rest = rest.dropFirst(size)
            }
            #expect(ending == .worklessFrames)
            // Ten complete frames, and the part of the eleventh's head that arrived before the frame was recognized.
            #expect((170..<179).contains(taken), "pieces of \(size)")
        }
    }

    @Test func `useful work and elapsed time restore the budget`() {
        var meter = meter()
        let ten = (0..<10).flatMap { _ in Frame.ping().bytes }
        #expect(measure(&meter, ten).1 == nil)
        meter.credit(3)
        #expect(measure(&meter, Array(ten.prefix(3 * 17))).1 == nil)
        #expect(measure(&meter, Array(ten.prefix(17)), after: .milliseconds(500)).1 == nil)
        #expect(measure(&meter, Array(ten.prefix(17)), after: .milliseconds(500)).1 == .worklessFrames)
        // The budget never exceeds its initial value.
        var rested = self.meter()
        rested.credit(1000)
        #expect(measure(&rested, ten, after: .seconds(3600)).1 == nil)
        #expect(measure(&rested, Frame.ping().bytes, after: .seconds(3600)).1 == .worklessFrames)
    }

    @Test func `a header block is incomplete until its last frame`() {
        var meter = meter()
        #expect(meter.blockStart == nil)
        _ = measure(&meter, Frame.headers(1, [], endsHeaders: false).bytes, after: .seconds(1))
        #expect(meter.blockStart == start + .seconds(1))
        _ = measure(&meter, Frame.continuation(1, []).bytes, after: .seconds(2))
        #expect(meter.blockStart == start + .seconds(1))
        _ = measure(&meter, Frame.continuation(1, [], endsHeaders: true).bytes, after: .seconds(3))
        #expect(meter.blockStart == nil)
    }

    @Test func `a payload that looks like frames is skipped`() {
        var meter = meter()
        let innocent = Frame.data(1, (0..<100).flatMap { _ in Frame.ping().bytes })
        for _ in 0..<10 { #expect(measure(&meter, innocent.bytes).1 == nil) }
        #expect(measure(&meter, innocent.bytes).1 == .worklessFrames)
    }
}

@Suite struct AllowanceTests {
    private let start = MonotonicTime(nanoseconds: 5)

    private func take(_ allowance: inout Allowance, _ count: Int = 1) -> Bool { allowance.take(count) }

    @Test func `an allowance limits the burst and the rate per second`() {
        var allowance = Allowance(capacity: 2, perSecond: 4, now: start)
        #expect(take(&allowance))
        #expect(take(&allowance))
        #expect(!take(&allowance))
        allowance.refill(now: start + .milliseconds(499))
        #expect(!take(&allowance))
        allowance.refill(now: start + .seconds(10))
        #expect(take(&allowance, 2))
        #expect(!take(&allowance))
    }

    @Test func `an allowance handles a stopped clock, long intervals and extreme values`() {
        var allowance = Allowance(capacity: 1, perSecond: .max, now: start)
        allowance.refill(now: start)
        #expect(take(&allowance))
        allowance.refill(now: start + .seconds(86_400 * 365 * 90))
        #expect(take(&allowance))
        var endless = Allowance(capacity: .max, perSecond: 0, now: start)
        for _ in 0..<1000 { #expect(take(&endless, 1_000_000)) }
        endless.restore(.max >> 20)
        #expect(take(&endless))
        var none = Allowance(capacity: 0, perSecond: 0, now: start)
        #expect(!take(&none))
    }
}

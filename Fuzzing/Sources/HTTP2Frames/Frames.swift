import Fuzz

/// What a connection writes, followed frame by frame.
struct Frames {
    static let goAway: UInt8 = 7

    private static let settings: UInt8 = 4
    private static let headBytes = 9

    /// How many bytes there were.
    private(set) var count = 0
    /// The type of the last frame that is whole; `nil` before the first, and inside of one.
    private(set) var lastType: UInt8?

    private var pending: [UInt8] = []
    private var hasBegun = false

    mutating func append(_ bytes: [UInt8]) {
        count += bytes.count
        pending += bytes
        var start = 0
        while pending.count - start >= Frames.headBytes {
            let length = Int(pending[start]) << 16 | Int(pending[start + 1]) << 8 | Int(pending[start + 2])
            let type = pending[start + 3]
            Fuzzer.expect(length <= 16384 && type <= 9, "a frame of type \(type) and \(length) bytes is written")
            Fuzzer.expect(hasBegun || type == Frames.settings, "the first frame is of type \(type)")
            hasBegun = true
            guard pending.count - start >= Frames.headBytes + length else { break }
            start += Frames.headBytes + length
            lastType = type
        }
        pending.removeFirst(start)
        if !pending.isEmpty { lastType = nil }
    }
}

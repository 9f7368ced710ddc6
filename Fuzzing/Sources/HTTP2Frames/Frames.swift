import Fuzz

/// Parses the frames that a connection writes.
struct Frames {
    static let goAway: UInt8 = 7

    private static let settings: UInt8 = 4
    private static let headBytes = 9

    /// The total number of bytes.
    private(set) var count = 0
    /// The type of the last frame if it is complete; `nil` before the first frame and inside a frame.
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
            Fuzzer.expect(length <= 16384 && type <= 9, "a frame of type \(type) and \(length) bytes was written")
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

/// How hard an encoder tries, and how much memory it may have for it.
public struct ContentEncoderSettings: Hashable, Sendable {
    /// The level of gzip, 1 (fast) to 9 (small).
    public var gzipLevel: Int
    /// The quality of brotli, 0 (fast) to 11 (small).
    public var brotliQuality: Int
    /// The bytes before the present one in which repetitions are looked for, a power of two from 512 to 32 KiB for gzip and
    /// from 1 KiB to 16 MiB for brotli; others are brought to the nearest one below. It is most of what an encoder costs.
    public var windowBytes: Int
    /// How much gzip remembers of what it has seen, 1 to 9: 512 bytes of tables, doubled with each step.
    public var gzipMemory: Int

    /// For content that is all there: the whole window, and the usual effort.
    public init(gzipLevel: Int = 6, brotliQuality: Int = 5, windowBytes: Int = 32 << 10, gzipMemory: Int = 8) {
        self.gzipLevel = gzipLevel
        self.brotliQuality = brotliQuality
        self.windowBytes = windowBytes
        self.gzipMemory = gzipMemory
    }

    /// For content that is made once and sent often: as small as it gets.
    public static let smallest = ContentEncoderSettings(
        gzipLevel: 9, brotliQuality: 11, windowBytes: 4 << 20, gzipMemory: 9)

    /// For a stream that stays open: a small window, as there are many of them. Below quality 3 brotli remembers nothing over
    /// a flush, or costs the same.
    public static func stream(windowBytes: Int) -> ContentEncoderSettings {
        ContentEncoderSettings(gzipLevel: 4, brotliQuality: 3, windowBytes: windowBytes, gzipMemory: 3)
    }

    /// The exponent of the window, within these bounds.
    func windowBits(_ bounds: ClosedRange<Int>) -> Int32 {
        let bits = Int.bitWidth - 1 - max(1, windowBytes).leadingZeroBitCount
        return Int32(min(max(bits, bounds.lowerBound), bounds.upperBound))
    }
}

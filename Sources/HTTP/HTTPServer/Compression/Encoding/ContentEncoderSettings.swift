/// The effort of an encoder and the memory that it may use.
package struct ContentEncoderSettings: Hashable, Sendable {
    /// The gzip level, from 1 (fast) to 9 (small).
    package var gzipLevel: Int
    /// The brotli quality, from 0 (fast) to 11 (small).
    package var brotliQuality: Int
    /// The size of the window in which repetitions are found: a power of two from 512 bytes to 32 KiB for gzip, and
    /// from 1 KiB to 16 MiB for brotli. Other values are rounded down. Most of an encoder's memory is its window.
    package var windowBytes: Int
    /// The size of gzip's tables, from 1 to 9: 512 bytes, doubled with each step.
    package var gzipMemory: Int

    /// Creates settings for complete content: the full window and the usual effort.
    package init(gzipLevel: Int = 6, brotliQuality: Int = 5, windowBytes: Int = 32 << 10, gzipMemory: Int = 8) {
        self.gzipLevel = gzipLevel
        self.brotliQuality = brotliQuality
        self.windowBytes = windowBytes
        self.gzipMemory = gzipMemory
    }

    /// Returns settings for a stream that stays open: a small window, since there are many streams. Below quality 3,
    /// brotli either discards its window at a flush or costs the same.
    package static func stream(windowBytes: Int) -> ContentEncoderSettings {
        ContentEncoderSettings(gzipLevel: 4, brotliQuality: 3, windowBytes: windowBytes, gzipMemory: 3)
    }

    /// Returns the binary logarithm of the window size, clamped to bounds.
    func windowBits(_ bounds: ClosedRange<Int>) -> Int32 {
        let bits = Int.bitWidth - 1 - max(1, windowBytes).leadingZeroBitCount
        return Int32(min(max(bits, bounds.lowerBound), bounds.upperBound))
    }
}

extension ConfigurationKey {
    /// The keys of compression.
    static let compression: [ConfigurationKey] = [
        ConfigurationKey(
            "compression.answers", \.compression.answers,
            "Whether answers are compressed with brotli or gzip for clients that take it. The page's own files always are."
        ),
        ConfigurationKey(
            "compression.minimum", \.compression.minimum, anySize, "Smaller answers are sent as they are."),
        ConfigurationKey(
            "compression.gzipLevel", \.compression.gzipLevel, 1...9,
            "How hard gzip tries with answers, 1 (fast) to 9 (small)."),
        ConfigurationKey(
            "compression.brotliQuality", \.compression.brotliQuality, 0...11,
            "How hard brotli tries with answers, 0 (fast) to 11 (small)."),
        ConfigurationKey(
            "compression.streams", \.compression.streams,
            "What streams of changes are compressed with, where the client takes it. Each open stream then costs 26 KiB of "
                + "memory with gzip and up to 424 KiB with brotli, at the default window."),
        ConfigurationKey(
            "compression.streamWindow", \.compression.streamWindow, .kibibytes(1)...ByteCount.kibibytes(32),
            "How far back a stream is looked through for repetitions. gzip takes four bytes of memory for each byte of it."
        ),
    ]
}

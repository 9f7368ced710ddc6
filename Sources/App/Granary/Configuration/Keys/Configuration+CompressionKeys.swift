import HTTPServer

extension Configuration {
    static let compressionKeys: [ConfigurationKey<Configuration>] = [
        ConfigurationKey(
            "compression.answers", \.compression.answers, .boolean,
            "Whether responses are compressed with brotli or gzip for clients that accept it. The files of the page "
                + "are always compressed."),
        ConfigurationKey(
            "compression.minimum", \.compression.minimumBytes, .bytes(in: .anySize),
            "The size of the smallest response that is compressed."),
        ConfigurationKey(
            "compression.gzipLevel", \.compression.gzipLevel, .number(in: 1...9),
            "The level of gzip for responses, from 1 (fast) to 9 (small)."),
        ConfigurationKey(
            "compression.brotliQuality", \.compression.brotliQuality, .number(in: 0...11),
            "The quality of brotli for responses, from 0 (fast) to 11 (small)."),
        ConfigurationKey(
            "compression.streams", \.compression.streams,
            .oneOf([("off", .off), ("gzip", .gzip), ("brotli", .brotli)]),
            "The compression of streams for clients that accept it. With the default window, each open stream then uses "
                + "26 KiB of memory with gzip, and up to 424 KiB with brotli."),
        ConfigurationKey(
            "compression.streamWindow", \.compression.streamWindowBytes,
            .bytes(in: .kibibytes(1)...ByteCount.kibibytes(32)),
            "The size of the window in which repetitions in a stream are found. gzip uses four bytes of memory per "
                + "byte of the window."
        ),
    ]
}

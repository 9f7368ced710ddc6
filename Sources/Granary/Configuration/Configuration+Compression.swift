import HTTPServer

extension Configuration {
    /// What is compressed for clients that ask for it.
    public struct Compression: Sendable, Equatable {
        /// What streams of changes are compressed with.
        public enum Streams: String, Sendable, CaseIterable {
            /// Nothing.
            case off
            /// gzip, for clients that take it.
            case gzip
            /// Brotli for clients that take it, gzip for others.
            case brotli
        }

        /// Whether answers are compressed.
        public var answers = true
        /// The smallest answer that is.
        public var minimum = ByteCount.kibibytes(1)
        /// The level of gzip for answers.
        public var gzipLevel = 6
        /// The quality of brotli for answers.
        public var brotliQuality = 5
        /// What streams of changes are compressed with.
        public var streams = Streams.off
        /// How far back a stream is looked through for repetitions.
        public var streamWindow = ByteCount.kibibytes(4)
    }
}

extension Configuration.Compression.Streams: ConfigurationChoice {}

extension Configuration.Compression {
    /// The part that the HTTP server reads, in its words; `nil` where nothing is compressed.
    var server: HTTPServerCompression? {
        guard answers || streams != .off else { return nil }
        var server = HTTPServerCompression()
        server.answers = answers
        server.minimumBytes = minimum.bytes
        server.gzipLevel = gzipLevel
        server.brotliQuality = brotliQuality
        server.streams =
            switch streams {
            case .off: .off
            case .gzip: .gzip
            case .brotli: .brotli
            }
        server.streamWindowBytes = streamWindow.bytes
        return server
    }
}

/// The settings for compressing responses to clients that accept it (`Accept-Encoding`).
///
/// A response is compressed if its type is compressible (text, JSON, scripts, SVG), it has no coding yet, and it may be
/// transformed (no `Cache-Control: no-transform`, except for event streams, which have a setting of their own). A response over TLS that contains both a secret and text chosen by
/// someone else should have `no-transform`, because its length reveals whether the two are similar (BREACH).
public struct HTTPServerCompression: Hashable, Sendable {
    /// The compression of streamed content, in particular of event streams.
    public enum Streams: Hashable, Sendable {
        /// Streams are sent uncompressed.
        case off
        /// Streams are sent with gzip to clients that accept it.
        case gzip
        /// Streams are sent with brotli to clients that accept it, otherwise with gzip.
        case brotli
    }

    /// Whether responses with complete content are compressed.
    public var answers = true
    /// The minimum size for compression. Smaller content fits into one packet anyway.
    public var minimumBytes = 1024
    /// The gzip level for complete content, from 1 (fast) to 9 (small).
    public var gzipLevel = 6
    /// The brotli quality for complete content, from 0 (fast) to 11 (small).
    public var brotliQuality = 5
    /// Whether streamed content is compressed. Each stream has an encoder while it is open: 26 KiB for gzip with a
    /// window of 4 KiB, at most 424 KiB for brotli with any window up to 4 KiB.
    public var streams = Streams.off
    /// The window of a stream's encoder, in which it looks for repetitions. gzip uses four bytes per byte of window,
    /// plus 10 KiB.
    public var streamWindowBytes = 4 << 10

    /// Creates the default settings: complete content is compressed, streams are not.
    public init() {}
}

/// Which answers a server compresses, for clients that ask for it with `Accept-Encoding`.
///
/// Compressed is what compresses (text, JSON, scripts, SVG), is not coded yet and may be changed on its way (no
/// `Cache-Control: no-transform`). Answers that hold a secret beside something that somebody else chose should say
/// `no-transform` where they are sent over TLS: their length tells whether the two are alike (BREACH).
public struct HTTPServerCompression: Hashable, Sendable {
    /// What is done with content that is made while it is sent, event streams before all.
    public enum Streams: Hashable, Sendable {
        /// Sent as it is.
        case off
        /// gzip for clients that take it.
        case gzip
        /// Brotli for clients that take it, gzip for the others.
        case brotli
    }

    /// Whether answers whose content is all there are compressed.
    public var answers = true
    /// Content with fewer bytes is sent as it is: it would fit into one packet anyway.
    public var minimumBytes = 1024
    /// The level of gzip for such answers, 1 (fast) to 9 (small).
    public var gzipLevel = 6
    /// The quality of brotli for such answers, 0 (fast) to 11 (small).
    public var brotliQuality = 5
    /// Whether content that is made while it is sent is compressed. Each such stream has an encoder of its own as long as it
    /// is open: 26 KiB for gzip with a window of 4 KiB, 424 KiB at the most for brotli with any window up to 4 KiB.
    public var streams = Streams.off
    /// How far back a stream's encoder looks for repetitions. gzip takes four bytes for each, and 10 KiB.
    public var streamWindowBytes = 4 << 10

    /// Answers are compressed, streams are not.
    public init() {}
}

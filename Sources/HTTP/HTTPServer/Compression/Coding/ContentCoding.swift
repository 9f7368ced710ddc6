package import HTTPModel

/// A supported content coding (RFC 9110 §8.4.1). `deflate` is not supported, because clients disagree about its format.
package enum ContentCoding: Hashable, CaseIterable, Sendable {
    /// Brotli (RFC 7932).
    case brotli
    /// gzip (RFC 1952).
    case gzip

    /// The registered name of the coding in `Content-Encoding`.
    package var token: HTTPFieldValue {
        switch self {
        case .brotli: "br"
        case .gzip: "gzip"
        }
    }
}

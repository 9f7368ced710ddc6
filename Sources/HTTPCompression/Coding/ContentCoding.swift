public import HTTPModel

/// A content coding (RFC 9110 §8.4.1) that is spoken here. `deflate` is not: clients disagree about what it is.
public enum ContentCoding: Hashable, CaseIterable, Sendable {
    /// Brotli (RFC 7932).
    case brotli
    /// The format of gzip (RFC 1952).
    case gzip

    /// The coding's registered name, as `Content-Encoding` has it.
    public var token: HTTPFieldValue {
        switch self {
        case .brotli: "br"
        case .gzip: "gzip"
        }
    }
}

/// What is malformed about a request (RFC 9113 §8.1.1). Its stream is reset and it is never answered; the connection
/// goes on.
public enum HTTP2MessageError: Error, Hashable, CaseIterable, Sendable {
    /// A field name that is empty, or holds anything but the lower-case characters of tokens (§8.2.1).
    case fieldName
    /// A field value with a control character, or with white space at one of its ends (§8.2.1).
    case fieldValue
    /// `Connection` or another field that is about a connection of HTTP/1.1 (§8.2.2).
    case connectionField
    /// `TE` that is not `trailers` (§8.2.2).
    case te
    /// A pseudo-field that requests do not have.
    case pseudoFieldUnknown
    /// A pseudo-field that comes twice.
    case pseudoFieldRepeated
    /// A pseudo-field behind another field (§8.3).
    case pseudoFieldMisplaced
    /// A pseudo-field among trailers (§8.1).
    case pseudoFieldInTrailers
    /// No `:method`, `:scheme` or `:path` (§8.3.1).
    case pseudoFieldMissing
    /// A method that is no token.
    case method
    /// A scheme that is none (RFC 3986 §3.1).
    case scheme
    /// A `:path` that is no path and query, or `*` for another method than `OPTIONS`.
    case path
    /// An authority that is no host and port, or has user information in it.
    case authority
    /// Neither `:authority` nor `Host`.
    case authorityMissing
    /// `Host` that differs from `:authority`, or comes twice.
    case host
    /// `CONNECT` with `:scheme` or `:path`, or without `:authority` (§8.5).
    case connect
    /// A `Content-Length` that is no decimal number, or comes twice.
    case contentLength
    /// A body that is longer or shorter than `Content-Length` said.
    case bodyLength
    /// A second header block that does not end the stream.
    case trailersWithoutEnd
}

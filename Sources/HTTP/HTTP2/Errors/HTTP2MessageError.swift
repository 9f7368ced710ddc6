/// An error that makes a request or a response malformed (RFC 9113 §8.1.1). Its stream is reset; the connection continues.
public enum HTTP2MessageError: Error, Hashable, CaseIterable, Sendable {
    /// A field name that is empty or has characters other than those of lower-case tokens (§8.2.1).
    case fieldName
    /// A field value with a control character, or with white space at either end (§8.2.1).
    case fieldValue
    /// `Connection` or another field that describes an HTTP/1.1 connection (§8.2.2).
    case connectionField
    /// A `TE` field other than `trailers` (§8.2.2).
    case te
    /// A pseudo-field that is not defined for the message.
    case pseudoFieldUnknown
    /// A repeated pseudo-field.
    case pseudoFieldRepeated
    /// A pseudo-field after a regular field (§8.3).
    case pseudoFieldMisplaced
    /// A pseudo-field in trailers (§8.1).
    case pseudoFieldInTrailers
    /// No `:method`, `:scheme` or `:path` (§8.3.1), or no `:status` (§8.3.2).
    case pseudoFieldMissing
    /// A `:status` that is not a number from 100 to 599, or 101 (§8.6), or that of an interim response that ends the stream.
    case status
    /// A method that is not a token.
    case method
    /// An invalid scheme (RFC 3986 §3.1).
    case scheme
    /// A `:path` that is not a path and query, or `*` for a method other than `OPTIONS`.
    case path
    /// An authority that is not a host and port, or contains user information.
    case authority
    /// Neither `:authority` nor `Host`.
    case authorityMissing
    /// A `Host` that differs from `:authority`, or a repeated one.
    case host
    /// `CONNECT` with `:scheme` or `:path`, or without `:authority` (§8.5).
    case connect
    /// A `Content-Length` that is not a decimal number, or a repeated one.
    case contentLength
    /// A body that is longer or shorter than its `Content-Length`, or content that the response must not have.
    case bodyLength
    /// A second header block that does not end the stream.
    case trailersWithoutEnd
    /// Content before the head of the response.
    case contentBeforeHead
}

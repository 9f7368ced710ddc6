extension HTTPFieldName {
    /// `Accept`.
    public static let accept = HTTPFieldName(known: "accept")
    /// `Accept-Encoding`.
    public static let acceptEncoding = HTTPFieldName(known: "accept-encoding")
    /// `Accept-Ranges`.
    public static let acceptRanges = HTTPFieldName(known: "accept-ranges")
    /// `Allow`.
    public static let allow = HTTPFieldName(known: "allow")
    /// `Authorization`.
    public static let authorization = HTTPFieldName(known: "authorization")
    /// `Cache-Control`.
    public static let cacheControl = HTTPFieldName(known: "cache-control")
    /// `Connection`.
    public static let connection = HTTPFieldName(known: "connection")
    /// `Content-Encoding`.
    public static let contentEncoding = HTTPFieldName(known: "content-encoding")
    /// `Content-Language`.
    public static let contentLanguage = HTTPFieldName(known: "content-language")
    /// `Content-Length`.
    public static let contentLength = HTTPFieldName(known: "content-length")
    /// `Content-Range`.
    public static let contentRange = HTTPFieldName(known: "content-range")
    /// `Content-Security-Policy`.
    public static let contentSecurityPolicy = HTTPFieldName(known: "content-security-policy")
    /// `Content-Type`.
    public static let contentType = HTTPFieldName(known: "content-type")
    /// `Cookie`.
    public static let cookie = HTTPFieldName(known: "cookie")
    /// `Cross-Origin-Opener-Policy`.
    public static let crossOriginOpenerPolicy = HTTPFieldName(known: "cross-origin-opener-policy")
    /// `Date`.
    public static let date = HTTPFieldName(known: "date")
    /// `Etag`.
    public static let eTag = HTTPFieldName(known: "etag")
    /// `Expect`.
    public static let expect = HTTPFieldName(known: "expect")
    /// `Host`.
    public static let host = HTTPFieldName(known: "host")
    /// `Idempotency-Key`.
    public static let idempotencyKey = HTTPFieldName(known: "idempotency-key")
    /// `Idempotency-Replayed`.
    public static let idempotencyReplayed = HTTPFieldName(known: "idempotency-replayed")
    /// `If-Match`.
    public static let ifMatch = HTTPFieldName(known: "if-match")
    /// `If-None-Match`.
    public static let ifNoneMatch = HTTPFieldName(known: "if-none-match")
    /// `If-Range`.
    public static let ifRange = HTTPFieldName(known: "if-range")
    /// `Keep-Alive`.
    public static let keepAlive = HTTPFieldName(known: "keep-alive")
    /// `Last-Event-Id`.
    public static let lastEventID = HTTPFieldName(known: "last-event-id")
    /// `Last-Modified`.
    public static let lastModified = HTTPFieldName(known: "last-modified")
    /// `Link`.
    public static let link = HTTPFieldName(known: "link")
    /// `Location`.
    public static let location = HTTPFieldName(known: "location")
    /// `Origin`.
    public static let origin = HTTPFieldName(known: "origin")
    /// `Permissions-Policy`.
    public static let permissionsPolicy = HTTPFieldName(known: "permissions-policy")
    /// `Prefer` (RFC 7240).
    public static let prefer = HTTPFieldName(known: "prefer")
    /// `Range`.
    public static let range = HTTPFieldName(known: "range")
    /// `Referrer-Policy`.
    public static let referrerPolicy = HTTPFieldName(known: "referrer-policy")
    /// `Retry-After`.
    public static let retryAfter = HTTPFieldName(known: "retry-after")
    /// `Server`.
    public static let server = HTTPFieldName(known: "server")
    /// `Strict-Transport-Security`.
    public static let strictTransportSecurity = HTTPFieldName(known: "strict-transport-security")
    /// `Te`.
    public static let te = HTTPFieldName(known: "te")
    /// `Traceparent` (W3C Trace Context).
    public static let traceparent = HTTPFieldName(known: "traceparent")
    /// `Tracestate` (W3C Trace Context).
    public static let tracestate = HTTPFieldName(known: "tracestate")
    /// `Trailer`.
    public static let trailer = HTTPFieldName(known: "trailer")
    /// `Transfer-Encoding`.
    public static let transferEncoding = HTTPFieldName(known: "transfer-encoding")
    /// `Upgrade`.
    public static let upgrade = HTTPFieldName(known: "upgrade")
    /// `User-Agent`.
    public static let userAgent = HTTPFieldName(known: "user-agent")
    /// `Vary`.
    public static let vary = HTTPFieldName(known: "vary")
    /// `Www-Authenticate`.
    public static let wwwAuthenticate = HTTPFieldName(known: "www-authenticate")
    /// `X-Accel-Buffering`.
    public static let xAccelBuffering = HTTPFieldName(known: "x-accel-buffering")
    /// `X-Content-Type-Options`.
    public static let xContentTypeOptions = HTTPFieldName(known: "x-content-type-options")
}

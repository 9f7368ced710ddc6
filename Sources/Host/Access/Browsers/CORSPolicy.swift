package import HTTPModel

/// The pages of other origins that may use the server (Cross-Origin Resource Sharing, fetch.spec.whatwg.org).
package struct CORSPolicy: Sendable {
    /// The methods that pages may use.
    private static let methods: HTTPFieldValue = "GET, HEAD, POST, DELETE"
    /// The fields that pages may send, besides those that every page may send. The last ones are added by tracing and other libraries,
    /// without the program's knowledge.
    private static let requestFields: HTTPFieldValue =
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, Traceparent, Tracestate, Baggage, X-Requested-With"
    /// The fields that pages may read, besides those that every page may read.
    private static let responseFields: HTTPFieldValue =
        "Location, ETag, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, Stream-Next-Offset, Stream-Up-To-Date, Stream-Cursor, Stream-Closed"

    private let patterns: [OriginPattern]
    private let allowsCredentials: Bool
    private let maxAge: HTTPFieldValue

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - patterns: The origins. If empty, pages of other origins cannot use the server.
    ///   - usesCookies: Whether cookies authenticate. Only then, pages may send credentials of the browser.
    ///   - maxAge: How long browsers remember a preflight response. They limit it themselves.
    package init(_ patterns: [OriginPattern], usesCookies: Bool, maxAge: Duration = .seconds(7200)) {
        self.patterns = patterns
        allowsCredentials = usesCookies
        self.maxAge = HTTPFieldValue(max(0, maxAge.components.seconds))
    }

    /// Returns whether pages of an origin may use the server.
    package func allows(_ origin: Origin) -> Bool { patterns.contains { $0.matches(origin) } }

    /// Adds the fields of a response to a request, preflight or not.
    ///
    /// `Vary: Origin` is added in all cases, so that a cache does not send the response for one origin to another.
    package func addFields(to response: inout HTTPFields, for request: HTTPFields) {
        guard !patterns.isEmpty else { return }
        response.append(.vary, "Origin")
        guard let origin = allowedOrigin(of: request) else { return }
        response.append(.accessControlAllowOrigin, origin)
        if allowsCredentials { response.append(.accessControlAllowCredentials, "true") }
        response.append(.accessControlExposeHeaders, CORSPolicy.responseFields)
    }

    /// Returns the fields of the 204 response to a preflight request; nil if the request is not one.
    ///
    /// The response to an origin that is not listed has only `Vary`, so that the browser does not send the request.
    package func preflight(_ method: HTTPMethod, _ request: HTTPFields) -> HTTPFields? {
        guard method == .options, request.contains(.accessControlRequestMethod), request.contains(.origin) else {
            return nil
        }
        var fields: HTTPFields = [.vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"]
        guard let origin = allowedOrigin(of: request) else { return fields }
        fields.append(.accessControlAllowOrigin, origin)
        if allowsCredentials { fields.append(.accessControlAllowCredentials, "true") }
        fields.append(.accessControlAllowMethods, CORSPolicy.methods)
        fields.append(.accessControlAllowHeaders, CORSPolicy.requestFields)
        fields.append(.accessControlMaxAge, maxAge)
        return fields
    }

    /// The spelling of the origin is the browser's, which compares it byte by byte.
    private func allowedOrigin(of request: HTTPFields) -> HTTPFieldValue? {
        guard request.count(of: .origin) == 1, let value = request[.origin], let origin = Origin(value.string),
            origin.description == value.string, allows(origin)
        else { return nil }
        return value
    }
}

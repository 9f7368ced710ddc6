package import HTTPModel

extension HTTPFieldName {
    /// `Access-Control-Allow-Credentials`.
    package static let accessControlAllowCredentials: HTTPFieldName = "access-control-allow-credentials"
    /// `Access-Control-Allow-Headers`.
    package static let accessControlAllowHeaders: HTTPFieldName = "access-control-allow-headers"
    /// `Access-Control-Allow-Methods`.
    package static let accessControlAllowMethods: HTTPFieldName = "access-control-allow-methods"
    /// `Access-Control-Allow-Origin`.
    package static let accessControlAllowOrigin: HTTPFieldName = "access-control-allow-origin"
    /// `Access-Control-Expose-Headers`.
    package static let accessControlExposeHeaders: HTTPFieldName = "access-control-expose-headers"
    /// `Access-Control-Max-Age`.
    package static let accessControlMaxAge: HTTPFieldName = "access-control-max-age"
    /// `Access-Control-Request-Method`.
    package static let accessControlRequestMethod: HTTPFieldName = "access-control-request-method"
    /// `Sec-Fetch-Site`.
    package static let secFetchSite: HTTPFieldName = "sec-fetch-site"
    /// `Set-Cookie`.
    package static let setCookie: HTTPFieldName = "set-cookie"
    /// `RateLimit` (draft-ietf-httpapi-ratelimit-headers).
    package static let rateLimit: HTTPFieldName = "ratelimit"
    /// `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
    package static let rateLimitPolicy: HTTPFieldName = "ratelimit-policy"
}

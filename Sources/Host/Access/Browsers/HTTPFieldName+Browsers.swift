package import HTTPModel

extension HTTPFieldName {
    package static let accessControlAllowCredentials: HTTPFieldName = "access-control-allow-credentials"
    package static let accessControlAllowHeaders: HTTPFieldName = "access-control-allow-headers"
    package static let accessControlAllowMethods: HTTPFieldName = "access-control-allow-methods"
    package static let accessControlAllowOrigin: HTTPFieldName = "access-control-allow-origin"
    package static let accessControlExposeHeaders: HTTPFieldName = "access-control-expose-headers"
    package static let accessControlMaxAge: HTTPFieldName = "access-control-max-age"
    package static let accessControlRequestMethod: HTTPFieldName = "access-control-request-method"
    package static let secFetchSite: HTTPFieldName = "sec-fetch-site"
    package static let setCookie: HTTPFieldName = "set-cookie"
    /// `RateLimit` (draft-ietf-httpapi-ratelimit-headers).
    package static let rateLimit: HTTPFieldName = "ratelimit"
    /// `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
    package static let rateLimitPolicy: HTTPFieldName = "ratelimit-policy"
}

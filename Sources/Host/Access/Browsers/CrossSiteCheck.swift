package import HTTPModel

/// Whether a request with an ambient credential was caused by a page that may cause it (protection against cross-site request
/// forgery).
package enum CrossSiteCheck {
    /// Returns the problem to respond with; nil if the request is permitted.
    ///
    /// A request that changes something needs `Sec-Fetch-Site: same-origin` or `none`, or an `Origin` that is the server's
    /// or listed. A client that is not a browser sends `Sec-Fetch-Site: none` itself.
    ///
    /// - Parameters:
    ///   - request: The request. Its host was checked before.
    ///   - isAmbient: Whether its credential is ambient (``Authentication/isAmbient``). Others need no check: a page cannot
    ///     add them to a request.
    ///   - policy: The listed origins.
    package static func problem(of request: HTTPRequest, isAmbient: Bool, policy: CORSPolicy) -> ProblemDetails? {
        guard isAmbient, changesSomething(request.method) else { return nil }
        return isPermitted(request, policy) ? nil : .crossSite
    }

    private static func isPermitted(_ request: HTTPRequest, _ policy: CORSPolicy) -> Bool {
        let fields = request.fields
        guard fields.count(of: .secFetchSite) <= 1, fields.count(of: .origin) <= 1 else { return false }
        let origin = fields.value(.origin).flatMap { Origin($0) }
        if let origin, policy.allows(origin) { return true }
        if let site = fields.value(.secFetchSite) {
            // The browser knows better than the scheme and host of the request, which a proxy may have changed.
            return site == "same-origin" || site == "none"
        }
        guard let origin else { return false }
        return origin == Origin(scheme: request.scheme, authority: request.authority)
    }

    private static func changesSomething(_ method: HTTPMethod) -> Bool {
        method != .get && method != .head && method != .options
    }
}

extension ProblemDetails {
    /// The problem for a request that a page of another site may have caused.
    static let crossSite = ProblemDetails(
        status: .forbidden, kind: "cross-site", title: "Cross-site request",
        detail:
            "Expected Sec-Fetch-Site: same-origin or none, or an Origin that is this server's or listed in access.origins, "
            + "because the request changes something and its credential is one that browsers add to requests of all sites."
    )
}

import HTTPModel

/// When a browser without credentials returns the cookie that it gets with the response to a request.
///
/// Browsers are recognized by `Sec-Fetch-Site` or `Origin`. A page whose browser keeps no cookies sends `Prefer: anonymous` (RFC 7240).
package enum CookieReturn: Sendable {
    /// In any case: the page has the origin of the server.
    case always
    /// If the page sends credentials with its requests, of which a request without a cookie says nothing: it has another origin of
    /// the same site.
    case withCredentials
    /// Not at all: the page is one of another site, whose requests neither get nor have a cookie with `SameSite=Lax`. Or the client
    /// is no browser.
    case never

    init(of request: HTTPRequest) {
        let fields = request.fields
        guard fields.count(of: .secFetchSite) <= 1, fields.count(of: .origin) <= 1, !fields.prefers("anonymous") else {
            self = .never
            return
        }
        // The browser knows better than the scheme and host of the request, which a proxy may have changed.
        if let site = fields.value(.secFetchSite) {
            self = site == "same-origin" || site == "none" ? .always : site == "same-site" ? .withCredentials : .never
            return
        }
        // Browsers do not send it in cleartext to other machines, and old ones never do.
        guard let origin = fields.value(.origin).flatMap({ Origin($0) }),
            let own = Origin(scheme: request.scheme, authority: request.authority)
        else {
            self = .never
            return
        }
        self = origin == own ? .always : origin.isSameSite(as: own) ? .withCredentials : .never
    }
}

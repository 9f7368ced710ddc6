import Access
import HTTPModel

/// A browser without credentials that creates a session and gets its first cookie with it.
struct FirstVisit {
    /// The principal that the cookie identifies.
    let principal: Principal
    let hash: PrincipalHash
    let cookie: HTTPFieldValue
    /// The name that the browser gives the session, and the id that follows; nil if it gives none.
    let named: (place: NamedPlace, id: SessionID)?

    /// The bytes that identify the principal.
    var id: [UInt8] { Base64URL.bytes(of: principal.id.utf8) ?? [] }
}

// First visits. Who the requester is follows from the request, so that one that has waited is the same.
extension SessionShard {
    /// Creates a session for a browser, and issues its first cookie.
    ///
    /// The session belongs to the cookie if the browser returns it. Of a page of another origin, that is not known: its session belongs
    /// to nobody unless it has to belong to somebody, and those that the page creates with the cookie belong to it.
    func createFirst(
        _ request: HTTPRequest, _ context: inout RequestContext, _ requested: RequestedSession,
        _ cookieReturn: CookieReturn
    ) throws(ProblemDetails) -> HTTPResponse {
        let key = try usesKey(request) ? creationKey(of: request, from: context.requester, isFirstVisit: true) : nil
        // The response to a key is repeated as a whole, with a cookie of the same principal. Nothing else leads to the principal.
        let known = key.flatMap { rememberedVisitor($0) }
        guard let visit = firstVisit(request, requested, id: known) else { throw .credentialsRequired }
        if cookieReturn == .always || requested.name != nil
            || (try? access.authorizeCreation(of: requested.machine, by: context.requester)) == nil
        {
            context.requester = .principal(visit.principal, visit.hash)
        }
        try access.authorizeCreation(of: requested.machine, by: context.requester)
        var response =
            if let key {
                try createKeyed(request, &context, requested, key, visit)
            } else {
                try createUnkeyed(request, &context, requested, visit.named)
            }
        response.fields.append(.setCookie, visit.cookie)
        return response
    }

    /// Returns the first visit in which the principal of a cookie has created a session with the key of a request: the browser has
    /// received the fields of the response, and not all of its content.
    func rememberedVisit(
        _ request: HTTPRequest, of requester: Requester
    ) -> (key: CreationKey, visit: FirstVisit)? {
        guard case .principal(let principal, _) = requester, principal.method == .cookie,
            let key = try? creationKey(of: request, from: requester, isFirstVisit: true),
            let id = rememberedVisitor(key),
            let found = access.firstCookie(request, id: id),
            found.principal == principal
        else { return nil }
        return (key, FirstVisit(principal: principal, hash: found.hash, cookie: found.field, named: nil))
    }

    /// Returns the bytes that identify the principal of a first visit whose response is remembered.
    private func rememberedVisitor(_ key: CreationKey) -> [UInt8]? {
        // One that is too old must not lead to the principal again.
        creations.expire(now: loop.now)
        return creations.response(to: key.digest).map { Array($0.prefix(StoredCreation.visitorCount)) }
    }

    private func firstVisit(
        _ request: HTTPRequest, _ requested: RequestedSession, id: [UInt8]?
    ) -> FirstVisit? {
        while let found = access.firstCookie(request, id: id) {
            let named = requested.name.map { host.place(named: $0, of: found.hash, requested.machine) }
            // All sessions of a name belong to one loop. A new principal has no sessions, so another one is as good: one whose session
            // belongs to this loop, which remembers the key.
            if let named, id == nil, named.id.loop(of: loop.count) != loop.index { continue }
            return FirstVisit(principal: found.principal, hash: found.hash, cookie: found.field, named: named)
        }
        return nil
    }
}

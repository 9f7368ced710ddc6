import Access
import HTTPModel

/// The access control of a loop: who a request comes from, what it may do, and how often. Confined to the loop.
///
/// It decides, and its callers act on the decisions.
final class AccessGate {
    private let host: SessionHost
    private let loop: any EventLoop
    // Unchecked exclusivity: see `SessionShard`.
    @exclusivity(unchecked) private var access: LoopAccess
    /// The newest credentials of principals.
    @exclusivity(unchecked) private var credentialExpiries = CredentialExpiryCache()
    /// The number of refusals that are late, to clients that continue to exceed a rate.
    private(set) var delayedRefusals = 0

    /// The delay of a refusal to a client that continues to exceed a rate.
    static let refusalDelay = Duration.milliseconds(10)
    /// The number of refusals of a loop that are late at the same time.
    private static let maxDelayed = 1024
    private static let noOrigins = CORSPolicy([], usesCookies: false)

    init(_ access: LoopAccess, of host: SessionHost, on loop: any EventLoop) {
        (self.access, self.host, self.loop) = (access, host, loop)
    }

    /// Uses a new configuration from now on.
    func replace(with access: LoopAccess) {
        loop.assertCurrent()
        self.access = access
        credentialExpiries.removeAll { !access.accepts($0) }
    }

    /// Whether requests are checked before they are routed.
    var isGuarded: Bool { access.isGuarded }

    var configuration: HostAccess { access.configuration }

    /// The wall time, at which credentials are checked.
    // Not that of the loop, which does not advance while the system sleeps: a token would be valid for too long.
    var time: UnixTime { UnixTime(milliseconds: host.wallClock().sinceBeginning / 1_000_000) }

    /// Signs and reads tickets; nil if tickets are not issued.
    var tickets: TicketAuthority? { access.configuration.authentication?.tickets }

    /// Logs an event, unless audit events are disabled.
    func audit(
        _ kind: AuditEvent.Kind, by requester: Requester? = nil, session: SessionID? = nil, peer: HTTPPeer? = nil
    ) {
        guard let form = access.configuration.audit else { return }
        AuditEvent(kind, by: requester, sessionHash: session?.hash, client: peer?.address)
            .write(to: host.log, principals: form)
    }

    /// Returns the fields of the response to a preflight request, which has no credentials; nil if it is not one.
    func preflightFields(for request: HTTPRequest) -> HTTPFields? {
        loop.assertCurrent()
        return access.configuration.cors?.preflight(request.method, request.fields)
    }

    /// Adds the fields for pages of other origins.
    func addPolicyFields(to response: inout HTTPResponse, for fields: HTTPFields) {
        loop.assertCurrent()
        access.configuration.cors?.addFields(to: &response.fields, for: fields)
    }
}

// Who a request comes from.
extension AccessGate {
    /// Determines who a request comes from.
    func authenticate(_ request: HTTPRequest) -> Authentication {
        loop.assertCurrent()
        // Not with `??`, which copies the result once more for each request.
        if let result = access.authenticator?.authenticate(request, at: time, clock: loop.now) { return result }
        return .anonymous
    }

    /// Returns the requester of a request with accepted credentials, or with none.
    func requester(of request: HTTPRequest, _ authentication: Authentication) throws(ProblemDetails) -> Requester {
        loop.assertCurrent()
        // Checked first, because most credentials are not ambient and the policy is copied.
        if authentication.isAmbient,
            let problem = CrossSiteCheck.problem(
                of: request, isAmbient: true, policy: access.configuration.cors ?? AccessGate.noOrigins)
        {
            throw problem
        }
        let requester: Requester
        switch authentication {
        case .anonymous: requester = .anonymous
        case .principal(let principal, let hash): requester = .principal(principal, hash)
        case .ticket(let ticket): requester = .ticket(ticket)
        case .rejected(let rejection):
            audit(.credentialsRejected(rejection), peer: request.peer)
            if let issuer = rejection.issuerOfUnknownKey { access.configuration.unknownKey?(issuer) }
            throw rejection.problem
        case .limited: throw .unavailable("too many credentials of the client were rejected", retryAfter: 1)
        case .undecided: throw .credentialsRequired
        }
        // Before a cookie is issued: every browser gets one, and with it a principal.
        if access.configuration.requiresPrincipal, requester.isAnonymous { throw .credentialsRequired }
        return requester
    }

    /// Returns the renewed cookie of the requester of a new session; nil if it is not renewed.
    func renewedCookie(for request: HTTPRequest, _ authentication: Authentication) -> HTTPFieldValue? {
        loop.assertCurrent()
        return access.authenticator?.renewedCookie(request, authentication, at: time)
    }

    /// Returns when the browser of a request for a new session returns its first cookie; `never` if it gets none.
    func cookieReturn(of request: HTTPRequest, from requester: Requester) -> CookieReturn {
        loop.assertCurrent()
        guard requester.isAnonymous, let authenticator = access.authenticator else { return .never }
        return authenticator.cookieReturn(of: request)
    }

    /// Returns the first cookie of a browser, with a principal of its own.
    ///
    /// - Parameter id: Identifies the principal; nil for a new one.
    func firstCookie(_ request: HTTPRequest, id: [UInt8]?) -> (
        principal: Principal, hash: PrincipalHash, field: HTTPFieldValue
    )? {
        loop.assertCurrent()
        return access.authenticator?.firstCookie(request, id: id, at: time)
    }
}

// How often a client may send requests.
extension AccessGate {
    /// Counts a request for its rate. Returns nil if it is not limited.
    func count(_ request: HTTPRequest, _ route: Route, from requester: Requester) -> RateTable.Result? {
        loop.assertCurrent()
        guard let rates = access.rates, let kind = RateKind.kind(of: request, route), let table = rates[kind] else {
            return nil
        }
        return take(1, from: table, for: request, from: requester)
    }

    /// Counts a request whose credentials are rejected. Returns the result if there are too many; nil if the problem is only with them.
    func countRejection(_ authentication: Authentication, of request: HTTPRequest) -> RateTable.Result? {
        loop.assertCurrent()
        switch authentication {
        case .anonymous, .principal, .ticket, .undecided: return nil
        case .rejected, .limited: break
        }
        guard let table = access.rejections, let taken = take(1, from: table, for: request, from: .anonymous),
            !taken.decision.isAllowed
        else { return nil }
        return taken
    }

    /// Counts the inputs of a batch after the first one, with which the request was counted. A batch that is longer than the quota takes
    /// all of it, as otherwise it would never be permitted.
    func countRest(ofBatch count: Int, _ request: HTTPRequest, _ context: inout RequestContext) throws(ProblemDetails) {
        loop.assertCurrent()
        guard let first = context.rate, let table = access.rates?[.inputs] else { return }
        let rest = min(count, first.limit.quota) - 1
        guard rest > 0, let taken = take(rest, from: table, for: request, from: context.requester) else { return }
        context.rate = taken.decision.isAllowed ? taken : nil
        if !taken.decision.isAllowed { throw .tooManyRequests(taken.limit, taken.decision) }
    }

    private func take(
        _ count: Int, from table: RateTable, for request: HTTPRequest, from requester: Requester
    ) -> RateTable.Result? {
        let keys = LimitKeys(requester, peer: request.peer)
        guard let taken = table.take(count, for: keys, at: loop.now) else { return nil }
        if !taken.decision.isAllowed { audit(.rateExceeded(taken.limit), by: requester, peer: request.peer) }
        return taken
    }

    /// Returns whether a refusal is late, and counts it until ``refusalWasSent()``.
    ///
    /// A client with one request at a time would otherwise send as many as the processors permit, and take their time from others.
    func delays(_ decision: RateDecision) -> Bool {
        loop.assertCurrent()
        guard decision.isInsistent, delayedRefusals < AccessGate.maxDelayed else { return false }
        delayedRefusals += 1
        return true
    }

    func refusalWasSent() {
        loop.assertCurrent()
        delayedRefusals -= 1
        assert(delayedRefusals >= 0, "expected to send each late refusal once")
    }

    /// Counts a stream for a requester. Returns nil if it is not limited.
    ///
    /// - Throws: The problem to respond with if the requester has reached its limit.
    func reserveStream(for request: HTTPRequest, from requester: Requester) throws(ProblemDetails) -> StreamShare? {
        loop.assertCurrent()
        guard let limit = access.configuration.quotas.streams,
            let client = host.client(of: requester, request.peer)
        else { return nil }
        do throws(QuotaTable.Refusal) {
            return try host.streamCounts.reserve(
                client, limit: limit, total: host.configuration.maxStreams, open: host.streamCount)
        } catch {
            audit(.quotaReached(.streams), by: requester, peer: request.peer)
            throw .overQuota(.streams, error)
        }
    }
}

// What a requester may do. Checked before anything else is done for a request.
extension AccessGate {
    /// Throws unless a requester, to whom a session is visible, may perform an operation on it.
    ///
    /// - Parameter operation: The operation; nil for a batch, as far as its inputs do not matter.
    /// - Returns: Whether a ticket was used, which is to be stored.
    func authorize(
        _ operation: AccessOperation?, on session: Session, for requester: Requester
    ) throws(ProblemDetails) -> Bool {
        loop.assertCurrent()
        switch requester {
        case .anonymous, .principal:
            if let rule = session.machineKind.definition.rule, let operation {
                try authorize(requester, operation, on: session, rule)
            }
            return false
        case .ticket(let ticket):
            if let operation {
                try authorize(requester, operation, on: session, session.machineKind.definition.rule)
            } else {
                try authorize(requester, .input(""), on: session, nil)
            }
            return try use(ticket, of: session)
        }
    }

    private func authorize(
        _ requester: Requester, _ operation: AccessOperation, on session: Session, _ rule: AccessRule?
    ) throws(ProblemDetails) {
        let access = SessionAccess(
            session: SessionDigest(session.storedID), owner: session.owner,
            ticketGeneration: session.ownership.tickets.generation)
        try requireAllowed(AccessCheck.operation(operation, on: access, by: requester, rule: rule), of: requester)
    }

    /// Throws unless the requester may send each of the inputs of a batch.
    func authorize(
        inputs names: some Sequence<String>, on session: Session, for requester: Requester
    ) throws(ProblemDetails) {
        loop.assertCurrent()
        guard let rule = session.machineKind.definition.rule else { return }
        for name in names {
            guard case .deny(let reason) = rule(requester.principal, .input(name)) else { continue }
            throw .forbidden(reason)
        }
    }

    /// Throws if the requester cannot create sessions of any machine: a ticket is for one session, and no principal.
    func authorizeCreation(by requester: Requester) throws(ProblemDetails) {
        loop.assertCurrent()
        if case .ticket = requester, access.configuration.requiresPrincipal { throw .credentialsRequired }
    }

    /// Throws unless the requester may create a session of a machine.
    func authorizeCreation(of machine: RegisteredMachine, by requester: Requester) throws(ProblemDetails) {
        loop.assertCurrent()
        guard let rule = machine.definition.rule else { return }
        try requireAllowed(AccessCheck.creation(of: machine.definition.name, by: requester, rule: rule), of: requester)
    }

    private func requireAllowed(_ verdict: AccessCheck.Verdict, of requester: Requester) throws(ProblemDetails) {
        switch verdict {
        case .allowed: return
        case .notFound: throw .noSession
        case .forbidden(let reason): throw .forbidden(reason)
        case .rejected(let rejection):
            audit(.credentialsRejected(rejection), by: requester)
            throw rejection.problem
        }
    }

    /// Counts the use of a ticket that permits a number of uses. Returns whether it does, so that the use is to be stored.
    func use(_ ticket: Ticket, of session: Session) throws(ProblemDetails) -> Bool {
        loop.assertCurrent()
        guard ticket.uses != nil else { return false }
        do throws(CredentialRejection) {
            try session.ownership.tickets.use(ticket, at: time)
        } catch {
            audit(.credentialsRejected(error), by: .ticket(ticket))
            throw error.problem
        }
        return true
    }
}

// The credentials of streams.
extension AccessGate {
    /// Returns whether a credential is still accepted that depends on a key; nil if it depends on none.
    func accepts(_ key: CredentialKey?) -> Bool { access.accepts(key) }

    /// Notes a credential that was presented for a session. Returns whether it extends streams.
    func note(_ requester: Requester, for session: Session) -> Bool {
        loop.assertCurrent()
        guard case .principal(let principal, let hash) = requester else { return false }
        credentialExpiries.note(hash, expires: principal.expires, key: principal.key, for: session.id, at: time)
        return true
    }

    /// Returns the lease of a new stream of the requester; nil for a client without credentials that is not limited.
    func makeLease(for requester: Requester, of session: Session, share: StreamShare?) -> StreamLease? {
        loop.assertCurrent()
        let lease = StreamLease(of: requester, share: share)
        if case .principal(_, let hash) = requester,
            let newest = credentialExpiries.credential(of: hash, for: session.id)
        {
            lease?.renew(by: newest)
        }
        return lease
    }
}

import Access
import HTTPModel
import Log
import MachineHost

/// The access control of admin listeners that other machines can reach. By default, nobody may use them.
struct OperatorAccess: Sendable {
    private let selectors: [OperatorSelector]
    private let access: ServedAccess?
    private let log: Log
    /// Counts rejected credentials; nil if they are not limited.
    private let rejections: RateTable?

    /// Creates the access control of admin listeners.
    ///
    /// - Parameters:
    ///   - operators: The operators of the configuration, which has been checked.
    ///   - access: The keys of the server; nil if it has none.
    init(_ operators: [String] = [], access: ServedAccess? = nil, log: Log = .silent) {
        selectors = operators.compactMap { OperatorSelector($0) }
        self.access = access
        self.log = log
        rejections = access?.current.rates.rejections.map { RateTable($0) }
    }

    /// Returns the problem of a request that is not an operator's, or `nil` if it is permitted.
    func refusal(of request: HTTPRequest) -> ProblemDetails? {
        do throws(ProblemDetails) {
            _ = try identify(request)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the operator who has sent a request.
    ///
    /// Every request is verified, and none is remembered: operators send few, and those of others are not worth the memory.
    ///
    /// - Throws: The problem of a request that is not an operator's.
    func identify(_ request: HTTPRequest) throws(ProblemDetails) -> Operator {
        guard !request.peer.isListenerLocal else { return Operator(requester: nil, address: request.peer.address) }
        guard let current = access?.current, let methods = current.authentication else {
            throw .operatorRequired
        }
        var authenticator = Authenticator(OperatorAccess.methods(methods), rejections: rejections)
        let time = WallTime.now()
        let now = UnixTime(milliseconds: time.seconds * 1000 + Int64(time.nanoseconds / 1_000_000))
        switch authenticator.authenticate(request, at: now, clock: KeySetFetcher.now()) {
        case .anonymous, .ticket, .undecided: throw .operatorRequired
        case .limited:
            throw tooManyRejections(request) ?? .operatorRequired
        case .rejected(let rejection):
            if let problem = tooManyRejections(request) { throw problem }
            audit(AuditEvent(.credentialsRejected(rejection), client: request.peer.address), current)
            if let issuer = rejection.issuerOfUnknownKey { current.unknownKey?(issuer) }
            throw rejection.problem
        case .principal(let principal, let hash):
            guard !selectors.contains(where: { $0.selects(principal) }) else {
                return Operator(
                    requester: .principal(principal, hash), address: request.peer.address,
                    isAmbient: principal.method.isAmbient)
            }
            let event = AuditEvent(
                .operatorRefused, by: .principal(principal, hash), client: request.peer.address)
            audit(event, current)
            throw .forbidden("The credentials are valid, but not those of an operator (access.operators).")
        }
    }

    /// Counts a request whose credentials are rejected. Returns the problem of a client that is over the rate of these.
    private func tooManyRejections(_ request: HTTPRequest) -> ProblemDetails? {
        let keys = LimitKeys(.anonymous, peer: request.peer)
        guard let taken = rejections?.take(for: keys, at: KeySetFetcher.now()), !taken.decision.isAllowed else {
            return nil
        }
        return .tooManyRequests(taken.limit, taken.decision)
    }

    /// Returns the methods that can identify operators. Tickets, cookies and the program's own are for sessions.
    private static func methods(_ all: AccessConfiguration) -> AccessConfiguration {
        var methods = all
        (methods.tickets, methods.cookies, methods.host) = (nil, nil, nil)
        return methods
    }

    /// Records what an operator does in the log.
    func record(_ kind: AuditEvent.Kind, by operating: Operator, session: StoredSessionID? = nil) {
        let event = AuditEvent(
            kind, by: operating.requester, sessionHash: session?.shortText, client: operating.address)
        event.write(to: log, principals: access?.current.audit ?? .hash)
    }

    private func audit(_ event: AuditEvent, _ current: HostAccess) {
        if let form = current.audit { event.write(to: log, principals: form) }
    }
}

/// A user of a listener for operators.
struct Operator: Sendable {
    /// The principal; nil on a listener that only this machine can reach.
    let requester: Requester?
    /// The numeric address of the client.
    let address: String
    /// Whether the listener would also accept a request that a page of another site has caused in a browser.
    var isAmbient = true
}

extension ProblemDetails {
    /// The problem for a request without credentials on an admin listener that other machines can reach.
    fileprivate static let operatorRequired = ProblemDetails(
        status: .unauthorized, kind: "credentials-required", title: "Credentials required",
        detail: "Expected the credentials of an operator, got none. Send an Authorization field with an API key or a "
            + "token, or use a listener on a loopback address or a Unix socket.",
        fields: [.wwwAuthenticate: "Bearer realm=\"granary\""])
}

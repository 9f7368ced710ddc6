import HTTPModel

/// Who a request comes from, as the server must see it.
enum MatrixIdentity: Equatable {
    /// The principal that has created the session.
    case owner
    /// Another principal.
    case stranger
    /// A client without credentials.
    case anonymous
    /// The holder of a ticket for the session with all rights.
    case holder
    /// The holder of a ticket that was used up.
    case usedHolder
    /// The holder of a ticket that was revoked.
    case revokedHolder
    /// The holder of a ticket for another session.
    case otherHolder
    /// Credentials that are not accepted, with the reason in the problem.
    case rejected(String)

    /// Whether it is a principal.
    var isPrincipal: Bool { self == .owner || self == .stranger }
}

/// What a response must be.
enum MatrixOutcome: Equatable {
    /// A status, with content that begins with a text.
    case answer(Int, String = "")
    /// A problem with a status and a kind.
    case problem(Int, String)
    /// A problem of credentials with a reason.
    case credentials(String)
    /// The same status, fields and bytes as for a session that does not exist.
    case unknown
    /// A stream whose first event has a name, and data that contains a text.
    case stream(String, String)
}

/// A request of the matrix. In paths and texts, `ID` stands for the id of the session, and `NEW` for a name that is not in use.
struct MatrixRequest {
    var method: String
    var path: String
    var body: String?
    var fields: MatrixClient.Fields = []
    /// What those get who may do everything.
    var own: MatrixOutcome
    /// Whom the response depends on.
    var scope = Scope.session

    enum Scope {
        /// Nobody: health and the page.
        case everyone
        /// Whether the client may use the server.
        case server
        /// As `server`, and a session is created.
        case creation
        /// As `creation`, and it needs a principal.
        case namedCreation
        /// Whether the session is known.
        case session
        /// As `session`, for its owner only: the holder of a ticket gets 403.
        case sharing
        /// A stream of several sessions, in which each has its own answer.
        case combined
        /// A stream of the session.
        case stream
    }
}

/// The policy of access.md and http-api.md, written down for every request of the matrix.
struct MatrixPolicy {
    var requiresPrincipal: Bool
    /// Whether the session belongs to a principal; otherwise everyone who knows its id may use it.
    var isOwned: Bool
    /// Whether the client is a browser, which gets a cookie when it creates a session.
    var isBrowser: Bool

    /// Returns what a request must get.
    func outcome(of request: MatrixRequest, by identity: MatrixIdentity) -> MatrixOutcome {
        if request.scope == .everyone { return request.own }
        if case .rejected(let reason) = identity { return .credentials(reason) }
        let isCreation = request.scope == .creation || request.scope == .namedCreation
        if requiresPrincipal, isCreation ? !identity.isPrincipal : identity == .anonymous {
            return .problem(401, "credentials-required")
        }
        switch request.scope {
        case .everyone, .server, .creation: return request.own
        case .namedCreation:
            // A browser without credentials gets a principal, with its cookie.
            let hasPrincipal = identity.isPrincipal || isBrowser && identity == .anonymous
            return hasPrincipal ? request.own : .problem(403, "forbidden")
        case .session, .sharing, .stream, .combined: return outcomeOfSession(request, identity)
        }
    }

    private func outcomeOfSession(_ request: MatrixRequest, _ identity: MatrixIdentity) -> MatrixOutcome {
        if !isOwned, identity == .stranger || identity == .anonymous { return request.own }
        switch identity {
        case .owner: return request.own
        case .holder: return request.scope == .sharing ? .problem(403, "forbidden") : request.own
        case .revokedHolder:
            return request.scope == .combined ? .stream("end", "unauthorized") : .credentials("revoked-ticket")
        case .usedHolder:
            switch request.scope {
            // Streams reconnect, so that no counted ticket opens one.
            case .stream, .sharing: return .problem(403, "forbidden")
            case .combined: return .stream("end", "unauthorized")
            default: return .credentials("used-ticket")
            }
        case .stranger, .anonymous, .otherHolder, .rejected:
            return request.scope == .combined ? .stream("end", "unknown") : .unknown
        }
    }
}

/// The result of authenticating a request.
package enum Authentication: Sendable {
    /// The request has no credentials, or only a cookie that is no longer valid.
    case anonymous
    /// The credentials of a principal are valid.
    case principal(Principal, PrincipalHash)
    /// A ticket is valid. Whether it permits the request is decided where its session is known (``AccessCheck``).
    // Indirect: see `Requester`.
    indirect case ticket(Ticket)
    case rejected(CredentialRejection)
    /// The credentials were not verified, because too many of the client's were rejected.
    case limited
    /// A closure of the program decides, later.
    case undecided(PendingAuthentication)

    /// Whether a page of another site could have caused the request with this credential (``CrossSiteCheck``).
    package var isAmbient: Bool {
        switch self {
        case .principal(let principal, _): principal.method.isAmbient
        case .anonymous, .ticket, .rejected, .limited, .undecided: false
        }
    }
}

/// An authentication that waits for a closure of the program.
package struct PendingAuthentication: Sendable {
    /// The time after which its request is refused.
    package let timeout: Duration
    private let body: @Sendable () async -> Authentication

    init(timeout: Duration, _ body: @escaping @Sendable () async -> Authentication) {
        self.timeout = timeout
        self.body = body
    }

    /// Runs the closure. Its owner runs it in a task, limits its time, and continues on the loop of the request.
    package func result() async -> Authentication { await body() }
}

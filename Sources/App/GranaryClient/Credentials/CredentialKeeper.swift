/// The client's credential and its renewals, one at a time: a state machine without I/O.
struct CredentialKeeper: Sendable {
    /// The action of a request that needs a credential.
    enum Need: Equatable {
        /// Sends it; nil for no credential.
        case use(Credential?)
        /// Waits for the renewal that the owner starts now.
        case fetch
        /// Waits for the renewal in progress.
        case wait
        /// Gives up: there is no other credential.
        case unavailable
    }

    private let canRenew: Bool
    private(set) var current: Credential?
    /// Counts the credentials, so that the rejection of an earlier one does not replace the current one.
    private(set) var generation = 0
    private var isRenewing = false
    /// The number of renewals ahead of time that failed for the current credential.
    private var failedAhead = 0
    private var expires: Duration?

    /// The number of times that a renewal ahead of time is tried. After that, the client waits for a rejection.
    static let maxAttemptsAhead = 3

    init(_ source: CredentialSource) {
        canRenew = source.renew != nil
        current = source.initial
    }

    /// A request needs a credential.
    mutating func need() -> Need {
        guard current == nil, canRenew else { return .use(current) }
        return fetch()
    }

    mutating func rejected(generation rejected: Int) -> Need {
        guard rejected == generation else { return .use(current) }
        guard canRenew else { return .unavailable }
        return fetch()
    }

    /// It is time to renew the credential ahead of its expiry. Returns whether the owner starts a renewal.
    mutating func isDue() -> Bool {
        guard canRenew, current != nil else { return false }
        return fetch() == .fetch
    }

    /// A renewal has returned a credential. Returns when the next one is due, from now; nil if that is not known.
    mutating func obtained(_ credential: Credential, at now: Duration) -> Duration? {
        isRenewing = false
        current = credential
        generation += 1
        failedAhead = 0
        expires = credential.validity.map { now + $0 }
        // A credential that expires at once is not renewed ahead: that would never end.
        guard let validity = credential.validity, validity >= .seconds(5) else { return nil }
        return validity - min(validity / 5, .seconds(60))
    }

    /// Uses another credential from now on. What was sent with the earlier one may be sent again.
    mutating func replace(with credential: Credential) {
        current = credential
        generation += 1
    }

    /// A renewal has failed. Returns when to try again ahead of the expiry; nil to wait until a request needs it.
    mutating func failed(at now: Duration) -> Duration? {
        isRenewing = false
        failedAhead += 1
        guard let expires, failedAhead < Self.maxAttemptsAhead, expires - now > .seconds(2) else { return nil }
        return (expires - now) / 2
    }

    private mutating func fetch() -> Need {
        guard !isRenewing else { return .wait }
        isRenewing = true
        return .fetch
    }
}

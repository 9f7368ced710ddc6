import Access

/// The newest credentials that principals have presented for sessions, for streams that are opened with older ones. Confined to its
/// loop.
///
/// Apart from the sessions: most have no such credential, and those that sleep are not in memory.
struct PresentedCredentials {
    private struct Key: Hashable {
        let session: SessionID
        let principal: PrincipalHash

        // Both are random, so a part of them is as good as all of it.
        func hash(into hasher: inout Hasher) {
            hasher.combine(session)
            hasher.combine(principal)
        }
    }

    /// The number of credentials from which those of the principals with the most are forgotten, even if they are still valid.
    static let most = 65_536

    private var expiries: [Key: UnixTime] = [:]
    /// The number of credentials at which those that have expired are removed.
    private var nextRemoval = 1024

    /// The number of credentials that are remembered.
    var count: Int { expiries.count }

    /// Notes a credential.
    ///
    /// - Parameters:
    ///   - principal: The principal.
    ///   - expires: The time at which the credential expires; nil if it does not.
    ///   - session: The session for which it was presented.
    ///   - now: The time.
    mutating func note(
        _ principal: PrincipalHash, expires: UnixTime?, for session: SessionID, at now: @autoclosure () -> UnixTime
    ) {
        // Principals whose credentials never expire, as most do, are not remembered.
        guard expires != nil || !expiries.isEmpty else { return }
        let key = Key(session: session, principal: principal)
        guard let expires else {
            // Only if a credential that expires was presented before.
            if expiries[key] != nil { expiries[key] = .never }
            return
        }
        if let known = expiries[key], known >= expires { return }
        expiries[key] = expires
        if expiries.count >= nextRemoval { removeExpired(at: now()) }
    }

    /// Returns the time at which the newest credential of a principal for a session expires; nil if none is remembered.
    func expiry(of principal: PrincipalHash, for session: SessionID) -> UnixTime? {
        expiries.isEmpty ? nil : expiries[Key(session: session, principal: principal)]
    }

    private mutating func removeExpired(at now: UnixTime) {
        expiries = expiries.filter { $0.value + CredentialLease.grace > now }
        // Twice as many, so that the cost per credential is constant.
        nextRemoval = max(1024, 2 * expiries.count)
        guard expiries.count >= PresentedCredentials.most else { return }
        forgetMost()
        nextRemoval = PresentedCredentials.most
    }

    /// Forgets the credentials of the principals with the most, so that half remains: no principal can displace those of others.
    private mutating func forgetMost() {
        let counts = expiries.keys.reduce(into: [:]) { counts, key in counts[key.principal, default: 0] += 1 }
        var left = expiries.count
        var forgotten: Set<PrincipalHash> = []
        for (principal, count) in counts.sorted(by: { $0.value > $1.value }) {
            guard left > PresentedCredentials.most / 2 else { break }
            forgotten.insert(principal)
            left -= count
        }
        expiries = expiries.filter { !forgotten.contains($0.key.principal) }
    }
}

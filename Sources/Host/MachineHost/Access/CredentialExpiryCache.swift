import Access

/// When the newest credentials of principals for sessions expire, for streams that are opened with older ones. Confined to its
/// loop.
///
/// Apart from the sessions: most have no such credential, and those that sleep are not in memory.
struct CredentialExpiryCache {
    struct Credential: Equatable {
        let expires: UnixTime
        /// The key on which it depends; nil if it depends on none.
        let key: CredentialKey?
    }

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
    static let maxCount = 65_536

    private var credentials: [Key: Credential] = [:]
    /// The number of credentials at which those that have expired are removed.
    private var nextRemoval = 1024

    var count: Int { credentials.count }

    /// Notes a credential.
    ///
    /// - Parameters:
    ///   - expires: The time at which the credential expires; nil if it does not.
    ///   - dependence: The key on which the credential depends; nil if it depends on none.
    ///   - session: The session for which it was presented.
    mutating func note(
        _ principal: PrincipalHash, expires: UnixTime?, key dependence: CredentialKey? = nil, for session: SessionID,
        at now: @autoclosure () -> UnixTime
    ) {
        // Principals whose credentials never expire, as most do, are not cached.
        guard expires != nil || !credentials.isEmpty else { return }
        let key = Key(session: session, principal: principal)
        guard let expires else {
            // Only if a credential that expires was presented before.
            if credentials[key] != nil { credentials[key] = Credential(expires: .never, key: dependence) }
            return
        }
        if let known = credentials[key], known.expires >= expires { return }
        credentials[key] = Credential(expires: expires, key: dependence)
        if credentials.count >= nextRemoval { removeExpired(at: now()) }
    }

    /// Returns the newest credential of a principal for a session; nil if none is cached.
    func credential(of principal: PrincipalHash, for session: SessionID) -> Credential? {
        credentials.isEmpty ? nil : credentials[Key(session: session, principal: principal)]
    }

    /// Forgets the credentials that depend on some keys.
    mutating func removeAll(where isRevoked: (CredentialKey?) -> Bool) {
        credentials = credentials.filter { !isRevoked($0.value.key) }
    }

    private mutating func removeExpired(at now: UnixTime) {
        credentials = credentials.filter { $0.value.expires + CredentialLease.grace > now }
        // Twice as many, so that the cost per credential is constant.
        nextRemoval = max(1024, 2 * credentials.count)
        guard credentials.count >= CredentialExpiryCache.maxCount else { return }
        forgetMost()
        assert(
            credentials.count <= CredentialExpiryCache.maxCount / 2,
            "expected at most half of \(CredentialExpiryCache.maxCount) credentials, got \(credentials.count)")
        nextRemoval = CredentialExpiryCache.maxCount
    }

    /// Forgets the credentials of the principals with the most, so that half remains: no principal can displace those of others.
    private mutating func forgetMost() {
        let counts = credentials.keys.reduce(into: [:]) { counts, key in counts[key.principal, default: 0] += 1 }
        var left = credentials.count
        var forgotten: Set<PrincipalHash> = []
        for (principal, count) in counts.sorted(by: { $0.value > $1.value }) {
            guard left > CredentialExpiryCache.maxCount / 2 else { break }
            forgotten.insert(principal)
            left -= count
        }
        credentials = credentials.filter { !forgotten.contains($0.key.principal) }
    }
}

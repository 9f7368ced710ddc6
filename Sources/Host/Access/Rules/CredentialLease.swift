/// How long the streams of a requester live: until the newest credential that it has presented for the session expires, and
/// for a grace period after that. A value, one for each principal or ticket of a session.
package struct CredentialLease: Sendable, Equatable {
    /// The time after the expiry in which a client can present its next credential.
    package static let grace = Duration.seconds(10)

    private var expires: UnixTime?

    /// Creates the lease of a credential; nil if it does not expire.
    package init(expires: UnixTime?) { self.expires = expires }

    /// A request of the same requester was accepted, with a credential that may be newer.
    ///
    /// - Returns: Whether it is newer. Of credentials that do not expire, the one that was presented last is.
    @discardableResult
    package mutating func renew(expires: UnixTime?) -> Bool {
        guard let current = self.expires else { return expires == nil }
        self.expires = expires.map { max($0, current) }
        return expires.map { $0 > current } ?? true
    }

    /// The time at which streams end with `unauthorized`; nil if they do not.
    package var end: UnixTime? { expires.map { $0 + CredentialLease.grace } }
}

package import Access

/// The access control of a host: who may use its sessions, and how much. Empty by default: everyone who knows the id of a session may
/// use it.
package struct HostAccess: Sendable {
    /// The methods of authentication; nil if clients cannot authenticate.
    package var authentication: AccessConfiguration?
    /// Whether requests without a principal or ticket get 401. Requests for the health of the server never need one.
    package var requiresPrincipal = false
    /// The pages of other origins that may use the server; nil if no other origin may use it.
    package var cors: CORSPolicy?
    /// The form of principals in audit events; nil if audit events are not logged.
    package var audit: AuditEvent.PrincipalForm?
    /// Called on the loop, with the name of an issuer, when a token names a key that the issuer does not have yet. Must not
    /// wait.
    package var unknownKey: (@Sendable (_ issuer: String) -> Void)?
    package var rates = Rates()
    /// The quotas of one principal, or else of one address, on all loops.
    package var quotas = QuotaTable.Limits()

    /// The rates of requests by principal, or else by address. A rate that is nil is not limited.
    package struct Rates: Sendable, Equatable {
        /// The rate of inputs. A batch counts as many as it contains.
        package var inputs: RateLimit?
        package var creations: RateLimit?
        package var streams: RateLimit?
        /// The rate of tickets: issued, redeemed and revoked.
        package var tickets: RateLimit?
        /// The rate of rejected credentials, by address.
        package var rejections: RateLimit?

        /// Creates rates without limits.
        package init() {}

        /// Whether nothing is limited.
        var isEmpty: Bool { RateKind.allCases.allSatisfy { self[$0] == nil } }
    }

    /// Creates a configuration in which everyone may do everything.
    package init() {}

    /// Whether any request has to be checked before it is routed.
    var isEmpty: Bool { authentication == nil && !requiresPrincipal && cors == nil && audit == nil && rates.isEmpty }
}

import HTTPModel
package import Log

/// An event that operators can review later: who was let in, who was not, and what an operator did.
///
/// It contains no token, ticket, session id or value of an input.
package struct AuditEvent: Sendable {
    package enum Kind: Sendable {
        case credentialsRejected(CredentialRejection)
        /// A principal who is not an operator has used a listener for operators.
        case operatorRefused
        case sessionCreated(machine: String)
        /// A ticket was redeemed, so that its holder uses the session.
        case ticketRedeemed
        case ticketsRevoked
        /// An operator has ended a session.
        case sessionEnded
        /// An operator has used the admin interface to change something or to see values. The machine is that of the session, if the
        /// action concerns one.
        case operatorActed(action: String, machine: String?)
        /// Keys were loaded again; the source is a file or an issuer.
        case keysReloaded(source: String, count: Int)
        /// Keys could not be loaded again, so the previous ones stay.
        case keysUnchanged(source: String, reason: String)
        /// Certificates were loaded again.
        case certificatesReloaded
        case quotaReached(QuotaResource)
        case rateExceeded(RateLimit)
    }

    /// How principals appear.
    package enum PrincipalForm: String, Sendable, CaseIterable {
        /// As the beginning of their ``PrincipalHash``.
        case hash
        /// As method, issuer and id.
        case id
    }

    package let kind: Kind
    /// The requester; nil if it is unknown.
    package let requester: Requester?
    /// The hash of the session's id for logs.
    package let sessionHash: String?
    /// The numeric address of the client.
    package let client: String?

    package init(_ kind: Kind, by requester: Requester? = nil, sessionHash: String? = nil, client: String? = nil) {
        self.kind = kind
        self.requester = requester
        self.sessionHash = sessionHash
        self.client = client
    }

    /// Writes the event to a log. Events that clients can cause in any number are limited.
    package func write(to log: Log, principals: PrincipalForm = .hash) {
        log.write(event(principals: principals))
    }

    package func event(principals: PrincipalForm = .hash) -> LogEvent {
        var fields = details
        switch requester {
        case .principal(let principal, let hash):
            fields.append(("principal", .text(principals == .hash ? hash.description : AuditEvent.text(of: principal))))
        // The nonce is not a part of the log: the label is what the owner has called the holder.
        case .ticket(let ticket): fields.append(("ticket", .text(ticket.label)))
        case .anonymous, nil: break
        }
        if let sessionHash { fields.append(("session", .text(sessionHash))) }
        if let client { fields.append(("client", .text(client))) }
        var event = LogEvent(level: level, message: "audit: \(message)", fields: fields)
        event.isLimited = isLimited
        if isLimited { event.subject = (details + identity(principals)).map { LogEvent.Detail($0.name, $0.value) } }
        return event
    }

    /// Returns for whom the event is limited: a principal, or else a client.
    private func identity(_ principals: PrincipalForm) -> [(name: String, value: LogValue)] {
        // Not the principal of a cookie: discarding it creates another one.
        if case .principal(let principal, let hash) = requester, principal.method != .cookie {
            return [("principal", .text(principals == .hash ? hash.description : AuditEvent.text(of: principal)))]
        }
        // The addresses of an IPv6 network are one client.
        return client.map { [("client", .text(ClientTable.Client($0).text))] } ?? []
    }

    private static func text(of principal: Principal) -> String {
        let issuer = principal.issuer.isEmpty ? "" : "\(principal.issuer)/"
        return "\(principal.method)/\(issuer)\(principal.id)"
    }
}

extension AuditEvent {
    private var message: String {
        switch kind {
        case .credentialsRejected: "credentials rejected"
        case .operatorRefused: "operator refused"
        case .sessionCreated: "session created"
        case .ticketRedeemed: "ticket redeemed"
        case .ticketsRevoked: "tickets revoked"
        case .sessionEnded: "session ended by an operator"
        case .operatorActed: "operator"
        case .keysReloaded: "keys reloaded"
        case .keysUnchanged: "keys not reloaded"
        case .certificatesReloaded: "certificates reloaded"
        case .quotaReached: "quota reached"
        case .rateExceeded: "rate exceeded"
        }
    }

    private var details: [(name: String, value: LogValue)] {
        switch kind {
        case .credentialsRejected(let rejection): [("reason", .text(rejection.label))]
        case .sessionCreated(let machine): [("machine", .text(machine))]
        case .keysReloaded(let source, let count): [("source", .text(source)), ("keys", .number(count))]
        case .keysUnchanged(let source, let reason): [("source", .text(source)), ("reason", .text(reason))]
        case .quotaReached(let resource): [("quota", .text(resource.rawValue))]
        case .rateExceeded(let limit): [("rate", .text(limit.name))]
        case .operatorActed(let action, let machine):
            [("action", .text(action))] + (machine.map { [("machine", .text($0))] } ?? [])
        case .operatorRefused, .ticketRedeemed, .ticketsRevoked, .sessionEnded, .certificatesReloaded: []
        }
    }

    private var level: LogLevel {
        switch kind {
        case .credentialsRejected, .operatorRefused, .keysUnchanged, .quotaReached, .rateExceeded: .warning
        default: .info
        }
    }

    private var isLimited: Bool {
        switch kind {
        case .credentialsRejected, .operatorRefused, .sessionCreated, .ticketRedeemed, .quotaReached, .rateExceeded:
            true
        default: false
        }
    }
}

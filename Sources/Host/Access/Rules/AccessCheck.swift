/// The properties of a session that determine access to it.
package struct SessionAccess: Sendable, Equatable {
    /// The stored id.
    package var session: SessionDigest
    /// The principal who created the session; nil if everyone who knows its id may use it.
    package var owner: PrincipalHash?
    /// The generation of the tickets that are valid.
    package var ticketGeneration: UInt32

    /// Creates a value from its parts.
    package init(session: SessionDigest, owner: PrincipalHash?, ticketGeneration: UInt32 = 0) {
        self.session = session
        self.owner = owner
        self.ticketGeneration = ticketGeneration
    }
}

/// The requester of an operation: an ``Authentication`` that is decided and not rejected.
package enum Requester: Sendable {
    /// A client without credentials.
    case anonymous
    case principal(Principal, PrincipalHash)
    // Indirect, because every request has a requester, and few have a ticket.
    indirect case ticket(Ticket)

    /// The principal, if there is one.
    package var principal: Principal? {
        if case .principal(let principal, _) = self { principal } else { nil }
    }

    /// Whether the client has no credentials.
    package var isAnonymous: Bool {
        switch self {
        case .anonymous: true
        case .principal, .ticket: false
        }
    }
}

/// Decides whether a requester may perform an operation. Pure functions, called before the session is woken or its activity counted.
package enum AccessCheck {
    /// The result.
    package enum Verdict: Equatable, Sendable {
        /// The operation is permitted.
        case allowed
        /// The response is the same as for a session that does not exist.
        case notFound
        /// The response is 403, with this reason.
        case forbidden(String)
        case rejected(CredentialRejection)
    }

    /// Returns whether a requester may create a session.
    package static func creation(of machine: String, by requester: Requester, rule: AccessRule?) -> Verdict {
        // A ticket is for one session, and does not say who its holder is.
        verdict(of: rule, requester.principal, .create(machine: machine))
    }

    /// Returns whether a requester may perform an operation on a session.
    ///
    /// A session that ended is checked as well: that it existed is only for its owner.
    package static func operation(
        _ operation: AccessOperation, on access: SessionAccess, by requester: Requester, rule: AccessRule?
    ) -> Verdict {
        let verdict = verdict(withoutRule: operation, access, requester)
        guard verdict == .allowed else { return verdict }
        return self.verdict(of: rule, requester.principal, operation)
    }

    private static func verdict(
        withoutRule operation: AccessOperation, _ access: SessionAccess, _ requester: Requester
    ) -> Verdict {
        switch requester {
        case .anonymous: return access.owner == nil ? .allowed : .notFound
        case .principal(_, let hash): return access.owner == nil || access.owner == hash ? .allowed : .notFound
        case .ticket(let ticket):
            guard ticket.session == access.session else { return .notFound }
            guard ticket.generation == access.ticketGeneration else { return .rejected(.revokedTicket) }
            guard let right = operation.ticketRight, ticket.rights.contains(right) else {
                let rights = ticket.rights.texts.joined(separator: ", ")
                return .forbidden(
                    "The ticket permits only: \(rights). Request another one from the owner of the session.")
            }
            return .allowed
        }
    }

    private static func verdict(
        of rule: AccessRule?, _ principal: Principal?, _ operation: AccessOperation
    ) -> Verdict {
        switch rule?(principal, operation) ?? .allow {
        case .allow: .allowed
        case .deny(let reason): .forbidden(reason)
        }
    }
}

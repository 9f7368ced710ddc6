/// A credential that identifies the user to the server.
public struct Credential: Equatable, Sendable {
    /// The value of the field `Authorization`.
    public let authorization: String
    /// How long the credential is valid from the moment at which it is returned; nil if that is not known.
    public let validity: Duration?

    /// Returns a token (JWT) or API key.
    ///
    /// - Parameters:
    ///   - token: The token, without the scheme.
    ///   - validity: How long it is valid from now. The client renews it before; without a time, after it was rejected.
    public static func bearer(_ token: String, validFor validity: Duration? = nil) -> Credential {
        Credential(authorization: "Bearer \(token)", validity: validity)
    }

    /// Returns a ticket that shares one session.
    public static func ticket(_ ticket: String, validFor validity: Duration? = nil) -> Credential {
        Credential(authorization: "Ticket \(ticket)", validity: validity)
    }

    /// Whether the credential can be a field's value: visible ASCII, so that it cannot add a field.
    var isValid: Bool { authorization.utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}

/// The source from which a client gets its credential.
public struct CredentialSource: Sendable {
    /// Returns the next credential; nil if there is only one, or none.
    let renew: (@Sendable () async throws -> Credential)?
    /// The credential to begin with.
    let initial: Credential?

    /// No credential: the id of a session is what permits its use.
    public static let none = CredentialSource(renew: nil, initial: nil)

    /// One credential that cannot be renewed.
    public static func fixed(_ credential: Credential) -> CredentialSource {
        CredentialSource(renew: nil, initial: credential)
    }

    /// A closure that returns the current credential, or gets the next one.
    ///
    /// It is called before the first request, shortly before the credential expires, and after the server rejected it; never
    /// twice at the same time. It must return another credential after a rejection.
    public static func renewing(_ renew: @escaping @Sendable () async throws -> Credential) -> CredentialSource {
        CredentialSource(renew: renew, initial: nil)
    }
}

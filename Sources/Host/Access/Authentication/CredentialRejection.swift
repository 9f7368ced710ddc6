/// The reason why credentials are not accepted.
///
/// The reasons state what is wrong with the credentials that the client knows itself. They never state why a signature is
/// invalid, and they repeat no part of the credentials.
package enum CredentialRejection: Error, Hashable, Sendable {
    /// Two credentials for one request.
    case conflicting
    /// Not of the expected form; the associated value states the expected form.
    case malformed(String)
    /// An authentication scheme that is not configured.
    case unsupportedScheme
    /// The token's algorithm is not one of its issuer's.
    case algorithm
    /// The token contains its own key, or the address of one.
    case embeddedKey
    /// The token requires an extension.
    case criticalExtension
    /// The token, or one of its objects, has two members with one name.
    case repeatedMember
    /// The token's issuer is missing or not configured.
    case unknownIssuer
    /// The issuer has no key with the token's key id and algorithm.
    case unknownKey(issuer: String)
    /// No key of the issuer has made the signature.
    case signature
    case expired
    case notYetValid
    /// The token is not for this server.
    case audience
    /// The token's `typ` is not one of the issuer's.
    case tokenType
    /// A required claim is missing, or has another value.
    case claim(String)
    /// The API key does not exist, or was revoked.
    case unknownAPIKey
    /// The ticket was not issued by this server.
    case unknownTicket
    case revokedTicket
    /// The ticket was used as often as it permits.
    case usedTicket
    /// The ticket permits a number of uses, and streams reconnect.
    case countedTicketForStream
    /// The ticket cannot be renewed.
    case unrenewableTicket
    /// The host-defined authenticator has rejected the request, for the reason that it states.
    case byHost(String)
}

extension CredentialRejection {
    /// The issuer whose keys have to be fetched, because a token names a key that it does not have yet.
    package var issuerOfUnknownKey: String? {
        if case .unknownKey(let issuer) = self { issuer } else { nil }
    }

    /// A name of the reason for audit events and metrics, without any value of the request.
    package var label: String {
        switch self {
        case .conflicting: "conflicting"
        case .malformed: "malformed"
        case .unsupportedScheme: "unsupported-scheme"
        case .algorithm: "algorithm"
        case .embeddedKey: "embedded-key"
        case .criticalExtension: "critical-extension"
        case .repeatedMember: "repeated-member"
        case .unknownIssuer: "unknown-issuer"
        case .unknownKey: "unknown-key"
        case .signature: "signature"
        case .expired: "expired"
        case .notYetValid: "not-yet-valid"
        case .audience: "audience"
        case .tokenType: "token-type"
        case .claim: "claim"
        case .unknownAPIKey: "unknown-api-key"
        case .unknownTicket: "unknown-ticket"
        case .revokedTicket: "revoked-ticket"
        case .usedTicket: "used-ticket"
        case .countedTicketForStream: "counted-ticket-for-stream"
        case .unrenewableTicket: "unrenewable-ticket"
        case .byHost: "host-defined"
        }
    }

    /// A sentence for the client.
    var detail: String {
        switch self {
        case .conflicting:
            "Expected one credential, got more than one. Send either one Authorization field or ?ticket=."
        case .malformed(let expected): "Expected \(expected)."
        case .unsupportedScheme:
            "Expected an authentication scheme that this server is configured for, got another one."
        case .unknownAPIKey: "The API key does not exist or was revoked."
        case .unknownTicket, .revokedTicket, .usedTicket, .countedTicketForStream, .unrenewableTicket: ticketDetail
        case .byHost(let detail): detail
        default: tokenDetail
        }
    }

    private var ticketDetail: String {
        switch self {
        case .revokedTicket: "The ticket was revoked. Request a new one from the owner of the session."
        case .usedTicket: "The ticket was used as often as it permits. Request a new one from the owner of the session."
        case .countedTicketForStream:
            "Expected a ticket without a number of uses, because streams reconnect. Redeem the ticket first."
        case .unrenewableTicket:
            "Expected a ticket that can be renewed. Request a new one from the owner of the session."
        default: "The ticket is invalid: this server has not issued it, or its signing key was removed."
        }
    }

    private var tokenDetail: String {
        switch self {
        case .algorithm: "Expected a token that is signed with an algorithm of its issuer, got another algorithm."
        case .embeddedKey:
            "Expected a token without jwk, jku, x5c and x5u, got one with a key of its own. Keys are configured on the server."
        case .criticalExtension: "Expected a token without extensions (crit, b64), got one that requires an extension."
        case .repeatedMember: "Expected a token whose objects name each member once, got a repeated member."
        case .unknownIssuer: "Expected a token of a configured issuer (iss), got another issuer or none."
        case .unknownKey: "The token's issuer has no key with the token's key id (kid) and algorithm."
        case .expired: "The credentials have expired. Send new ones."
        case .notYetValid: "The credentials are not valid yet. The clocks of the server and of the issuer may differ."
        case .audience: "Expected a token for this server (aud), got one for another audience."
        case .tokenType: "Expected a token of a configured type (typ), got another type."
        case .claim(let name): "Expected a token with a permitted value of the claim \"\(name)\"."
        default: "The signature is invalid."
        }
    }
}

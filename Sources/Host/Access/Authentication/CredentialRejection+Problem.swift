package import HTTPModel

extension CredentialRejection {
    /// The problem that the client gets: 400 for conflicting credentials, 403 for a ticket that does not permit the request,
    /// otherwise 401.
    package var problem: ProblemDetails {
        switch self {
        case .conflicting:
            ProblemDetails(
                status: .badRequest, kind: "conflicting-credentials", title: "Conflicting credentials", detail: detail)
        case .countedTicketForStream, .unrenewableTicket:
            ProblemDetails(status: .forbidden, kind: "forbidden", title: "Forbidden", detail: detail)
        default:
            ProblemDetails(
                status: .unauthorized, kind: "invalid-credentials", title: "Invalid credentials", detail: detail,
                members: [("reason", .string(label))],
                fields: [.wwwAuthenticate: "Bearer realm=\"granary\", error=\"invalid_token\""])
        }
    }
}

extension ProblemDetails {
    /// The problem for a request without credentials where they are required (RFC 6750 §3: without an error code).
    package static let credentialsRequired = ProblemDetails(
        status: .unauthorized, kind: "credentials-required", title: "Credentials required",
        detail: "Expected credentials, got none. Send an Authorization field with a token, an API key or a ticket.",
        fields: [.wwwAuthenticate: "Bearer realm=\"granary\""])

    /// The problem for an operation that a rule, or the allowance of a ticket, does not permit.
    package static func forbidden(_ detail: String) -> ProblemDetails {
        ProblemDetails(status: .forbidden, kind: "forbidden", title: "Forbidden", detail: detail)
    }
}

import HTTPModel
import Testing

@testable import Access

@Suite struct CredentialRejectionTests {
    private static let all: [CredentialRejection] = [
        .conflicting, .malformed("a token"), .unsupportedScheme, .algorithm, .embeddedKey, .criticalExtension,
        .repeatedMember, .unknownIssuer, .unknownKey(issuer: "i"), .signature, .expired, .notYetValid, .audience,
        .tokenType, .claim("role"), .unknownAPIKey, .unknownTicket, .revokedTicket, .usedTicket,
        .countedTicketForStream,
        .unrenewableTicket, .byHost("No."),
    ]

    @Test func `each reason has its own label and sentence`() {
        #expect(Set(Self.all.map(\.label)).count == Self.all.count)
        #expect(Set(Self.all.map(\.detail)).count == Self.all.count)
        for reason in Self.all { #expect(reason.detail.hasSuffix(".")) }
    }

    @Test(arguments: all)
    func `the status is 400 for a conflict, 403 for a ticket's limits, otherwise 401 with a challenge`(
        reason: CredentialRejection
    ) {
        let problem = reason.problem
        switch reason {
        case .conflicting: #expect(problem.status == .badRequest)
        case .countedTicketForStream, .unrenewableTicket: #expect(problem.status == .forbidden)
        default: #expect(problem.status == .unauthorized)
        }
        #expect(problem.fields.contains(.wwwAuthenticate) == (problem.status == .unauthorized))
    }

    @Test func `the reason of an invalid signature is not stated`() {
        #expect(CredentialRejection.signature.detail == "The signature is invalid.")
    }

    @Test func `missing credentials get a challenge without an error`() {
        #expect(ProblemDetails.credentialsRequired.fields.value(.wwwAuthenticate) == "Bearer realm=\"granary\"")
        #expect(ProblemDetails.credentialsRequired.status == .unauthorized)
    }
}

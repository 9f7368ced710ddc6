import Access
import HTTPModel

extension HTTPRequest {
    /// Returns a request for a test.
    static func test(
        _ method: HTTPMethod = .get, _ target: String = "/v1/sessions/x", scheme: String = "https",
        fields: HTTPFields = HTTPFields(), address: String = "192.0.2.7", subject: String? = nil, names: [String] = []
    ) -> HTTPRequest {
        HTTPRequest(
            method: method, target: target, scheme: scheme, authority: "granary.example", fields: fields,
            peer: HTTPPeer(address: address, port: 1, certificateSubject: subject, certificateNames: names))
    }

    static func authorized(_ value: String, _ method: HTTPMethod = .get, _ target: String = "/v1/sessions/x")
        -> HTTPRequest
    {
        test(method, target, fields: [.authorization: HTTPFieldValue(value) ?? ""])
    }
}

extension Authentication {
    var principal: Principal? {
        if case .principal(let principal, _) = self { principal } else { nil }
    }

    var rejection: CredentialRejection? {
        if case .rejected(let rejection) = self { rejection } else { nil }
    }

    var ticket: Ticket? {
        if case .ticket(let ticket) = self { ticket } else { nil }
    }

    var isAnonymous: Bool {
        if case .anonymous = self { true } else { false }
    }

    var isLimited: Bool {
        if case .limited = self { true } else { false }
    }

    var identity: String {
        principal.map { "\($0.method) \($0.issuer) \($0.id)" } ?? "nobody"
    }
}

enum TestHash {
    static let hasher = PrincipalHasher(key: SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
    static let keys = SigningKeys.random()

    static func requester(_ method: Principal.Method, _ id: String) -> Requester {
        let principal = Principal(method: method, id: id)
        return .principal(principal, hasher.hash(of: principal))
    }
}

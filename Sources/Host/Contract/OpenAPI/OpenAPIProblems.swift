/// The error responses, one for each status.
package enum OpenAPIProblems {
    /// The kinds of problems of each status.
    package static let kinds: [(status: Int, kinds: [String])] = [
        (400, ["malformed-request", "malformed-json", "tls-required", "conflicting-credentials"]),
        (401, ["credentials-required", "invalid-credentials"]),
        (403, ["forbidden", "cross-site"]),
        (404, ["not-found"]),
        (405, ["method-not-allowed"]),
        (406, ["not-acceptable"]),
        (408, ["request-timeout"]),
        (
            409, ["missing-state", "input-refused", "name-in-use", "idempotency-conflict"]
        ),
        (410, ["session-ended"]),
        (412, ["version-mismatch", "precondition-failed"]),
        (413, ["body-too-large"]),
        (414, ["target-too-long"]),
        (415, ["unsupported-media-type"]),
        (416, ["range-not-satisfiable"]),
        (417, ["unknown-expectation"]),
        (421, ["misdirected-request"]),
        (422, ["invalid-value", "idempotency-mismatch"]),
        (
            429,
            [
                "too-many-sessions", "too-many-streams", "too-many-keys", "too-many-connections", "too-many-requests",
                "over-quota",
            ]
        ),
        (431, ["head-too-large"]),
        (500, ["internal-error"]),
        (501, ["not-implemented"]),
        (503, ["unavailable", "server-full"]),
        (504, ["unanswered"]),
        (505, ["unsupported-version"]),
        (507, ["session-full", "disk-full"]),
    ]

    /// The statuses that any request can get.
    private static let general = [400, 401, 403, 404, 406, 408, 414, 417, 421, 429, 431, 500, 501, 503, 505]

    /// The components, by status.
    static var responses: [DocumentValue.Member] {
        kinds.map { status, kinds in
            let names = kinds.map { "`\($0)`" }.joined(separator: ", ")
            return .init(
                name: "\(status)",
                value: .members([
                    ("description", .string("A problem of the kind \(names).")),
                    ("headers", fields(of: status)),
                    (
                        "content",
                        ["application/problem+json": ["schema": .component("schemas", "Problem")]]
                    ),
                ]))
        }
    }

    /// Returns the responses of an operation: its own, those of its problems, and those that any request can get.
    static func responses(_ successes: [DocumentValue.Member], and problems: [Int] = []) -> DocumentValue {
        let statuses = Set(general + problems).sorted()
        return .object(
            successes + statuses.map { .init(name: "\($0)", value: .component("responses", "\($0)")) })
    }

    private static func fields(of status: Int) -> DocumentValue? {
        switch status {
        case 401: OpenAPIHeaders.references(["WWW-Authenticate"])
        case 405: OpenAPIHeaders.references(["Allow"])
        case 429: OpenAPIHeaders.references(["Retry-After", "RateLimit", "RateLimit-Policy"])
        case 503: OpenAPIHeaders.references(["Retry-After"])
        default: nil
        }
    }
}

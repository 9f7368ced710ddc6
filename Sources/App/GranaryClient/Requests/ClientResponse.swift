import JSONText

/// A complete response.
struct ClientResponse: Equatable, Sendable {
    let status: Int
    /// The header fields, with names in lower case.
    let fields: [String: String]
    let body: [UInt8]

    /// The object in the body; nil if the body is not a complete JSON object.
    var object: JSONValue? {
        guard let range = try? JSONScanner.document(body, nestingLimit: 512) else { return nil }
        let value = JSONValue(bytes: body, range: range)
        return value.kind == .object ? value : nil
    }

    /// The pause that the server asks for (RFC 9110 §10.2.3), in seconds only: our server sends no dates.
    var retryAfter: Duration {
        let seconds = fields["retry-after"].flatMap { UInt32($0) } ?? 0
        return .seconds(Int64(seconds))
    }

    /// The error that the response reports.
    var problem: ServerProblem {
        let object = object
        let type = object?.member("type")?.string ?? ""
        let isOurs = type.hasPrefix("/problems/")
        return ServerProblem(
            status: status, kind: isOurs ? String(type.dropFirst("/problems/".count)) : "",
            detail: object?.member("detail")?.string ?? "",
            incident: object?.member("incident")?.string, reason: object?.member("reason")?.string)
    }
}

import HTTPModel

// The problems that a host answers with; their kinds have pages of the same names.
extension ProblemDetails {
    static func notFound(_ detail: String) -> ProblemDetails {
        ProblemDetails(status: .notFound, kind: "not-found", title: "Not found", detail: detail)
    }

    static let noSession = ProblemDetails.notFound(
        "There is no such session. Sessions that nobody uses end after a while and are then forgotten.")

    static let sessionEnded = ProblemDetails(
        status: .gone, kind: "session-ended", title: "Session ended", detail: "The session has ended; make a new one.")

    static func methodNotAllowed(_ method: HTTPMethod, allow: StaticString) -> ProblemDetails {
        let allowed = HTTPFieldValue("\(allow)") ?? ""
        return ProblemDetails(
            status: .methodNotAllowed, kind: "method-not-allowed", title: "Method not allowed",
            detail: "This path takes \(allow), \(method.rawValue) came.", fields: [.allow: allowed])
    }

    static func notAcceptable(offered: String) -> ProblemDetails {
        ProblemDetails(
            status: .notAcceptable, kind: "not-acceptable", title: "Not acceptable",
            detail: "This path offers \(offered), and Accept names none of it.")
    }

    static func unsupportedMediaType(_ type: String?) -> ProblemDetails {
        let came = type.map { "\"\($0)\" came" } ?? "the request has no Content-Type"
        return ProblemDetails(
            status: .unsupportedMediaType, kind: "unsupported-media-type", title: "Unsupported media type",
            detail: "A body has to be application/json; \(came).", fields: [.accept: "application/json"])
    }

    /// Tells which codings are read, as RFC 9110 §12.5.3 asks for.
    static func unsupportedCoding(_ coding: String) -> ProblemDetails {
        ProblemDetails(
            status: .unsupportedMediaType, kind: "unsupported-media-type", title: "Unsupported content coding",
            detail: "A body has to come without a coding; \"\(coding)\" came.", fields: [.acceptEncoding: "identity"])
    }

    static func malformedJSON(_ error: JSONSyntaxError, in body: [UInt8]) -> ProblemDetails {
        let (line, column) = error.place(in: body)
        let found = error.offset < body.count ? "something else came" : "the body ended"
        return ProblemDetails(
            status: .badRequest, kind: "malformed-json", title: "Malformed JSON",
            detail: "Line \(line), column \(column): expected \(error.expected), \(found).",
            members: [("line", .number(line)), ("column", .number(column))])
    }

    static func malformedField(_ name: HTTPFieldName, expected: String) -> ProblemDetails {
        ProblemDetails(
            status: .badRequest, kind: "malformed-request", title: "Malformed request",
            detail: "The field \(name) has to be \(expected).")
    }

    static func invalidValue(_ detail: String, _ errors: [Item]) -> ProblemDetails {
        ProblemDetails(
            status: .unprocessableContent, kind: "invalid-value", title: "Invalid value", detail: detail, errors: errors
        )
    }

    /// The problem of a value that is not what was expected, with every fault that was found.
    static func invalidValue(of what: String, _ mismatch: InputMismatch) -> ProblemDetails {
        let items = mismatch.items
        let shown = items.prefix(3).map { $0.pointer.isEmpty ? $0.detail : "at \($0.pointer): \($0.detail)" }
        let separator = mismatch.pointer.isEmpty ? ": " : " "
        return invalidValue(
            (what + separator + shown.joined(separator: "; ")).sentence,
            items.map { Item(pointer: $0.pointer, detail: $0.detail) })
    }

    static func missingState(input name: String, _ refusal: InputRefusal) -> ProblemDetails {
        ProblemDetails(
            status: .conflict, kind: "missing-state", title: "State no longer exists",
            detail: "The input \"\(name)\" is for state that does not exist: \(refusal.reason). Nothing was changed.")
    }

    /// A batch whose input at that place was refused: those before it were run, and it and those after it were not.
    static func missingState(batchInput place: Int, _ refusal: InputRefusal, version: UInt64) -> ProblemDetails {
        let effect =
            place == 0
            ? "None of the batch was run"
            : "The \(place) before it \(place == 1 ? "was" : "were") run, it and the rest were not"
        return ProblemDetails(
            status: .conflict, kind: "missing-state", title: "State no longer exists",
            detail: "The input at /\(place) is for state that does not exist: \(refusal.reason). \(effect).",
            errors: [.init(pointer: "/\(place)", detail: refusal.reason)],
            members: [("ran", .number(place)), ("version", .number(Int(clamping: version)))])
    }

    static func versionMismatch(_ condition: String, _ version: UInt64) -> ProblemDetails {
        ProblemDetails(
            status: .preconditionFailed, kind: "version-mismatch", title: "Version mismatch",
            detail: "\(condition) the session's version, which is \(version).",
            members: [("version", .number(Int(clamping: version)))])
    }

    static let idempotencyConflict = ProblemDetails(
        status: .conflict, kind: "idempotency-conflict", title: "Request under way",
        detail: "The first request with this Idempotency-Key is still under way.", fields: [.retryAfter: "1"])

    static let idempotencyMismatch = ProblemDetails(
        status: .unprocessableContent, kind: "idempotency-mismatch", title: "Idempotency key used before",
        detail: "This Idempotency-Key came with another request before; a key stands for one request.")

    /// `holder` remembers the keys: the beginning of the sentence.
    static func tooManyKeys(_ holder: String, retryAfter seconds: Int) -> ProblemDetails {
        ProblemDetails(
            status: .tooManyRequests, kind: "too-many-keys", title: "Too many idempotency keys",
            detail: "\(holder) as many Idempotency-Keys as it may. Send the request again in \(seconds) s, when "
                + "the oldest is forgotten, or without a key.",
            fields: [.retryAfter: HTTPFieldValue(seconds)])
    }

    static func sessionFull(_ size: Int, limit: Int) -> ProblemDetails {
        ProblemDetails(
            status: .insufficientStorage, kind: "session-full", title: "Session full",
            detail: "The session retains \(size) bytes, and \(limit) are allowed (sessions.maxSessionBytes). It can "
                + "still be read. Delete it, and create a new one.")
    }

    static let noRoom = ProblemDetails.unavailable(
        "the server's sessions retain as many bytes as they may (sessions.maxBytes); delete sessions that are not needed",
        retryAfter: 10)

    static func tooManyStreams(_ detail: String) -> ProblemDetails {
        ProblemDetails(
            status: .tooManyRequests, kind: "too-many-streams", title: "Too many streams", detail: detail,
            fields: [.retryAfter: "5"])
    }

    static func tooManySessions(
        _ refusal: ClientTable.Refusal, _ configuration: HostConfiguration
    ) -> ProblemDetails {
        let (detail, seconds) =
            switch refusal {
            case .tooMany:
                (
                    "This client has \(configuration.maxSessionsPerClient ?? 0) sessions, the most that one client may have. "
                        + "End one with DELETE, or try again later.", 30
                )
            case .tooFast:
                (
                    "This client creates sessions faster than \(configuration.maxNewSessionsPerClient ?? 0) a second. "
                        + "Try again later.", 1
                )
            }
        return ProblemDetails(
            status: .tooManyRequests, kind: "too-many-sessions", title: "Too many sessions", detail: detail,
            fields: [.retryAfter: HTTPFieldValue(seconds)])
    }

    static func unavailable(_ reason: String, retryAfter seconds: Int) -> ProblemDetails {
        ProblemDetails(
            status: .serviceUnavailable, kind: "unavailable", title: "Unavailable",
            detail: "Try again later: \(reason).", fields: [.retryAfter: HTTPFieldValue(seconds)])
    }

    static func machineFailed(incident: String) -> ProblemDetails {
        ProblemDetails(
            status: .internalServerError, kind: "internal-error", title: "Internal error",
            detail: "The machine failed and its session has ended. Quote the incident to whoever runs the server.",
            members: [("incident", .string(incident))])
    }
}

extension String {
    /// The text with a full stop, unless it ends with a question mark.
    var sentence: String { hasSuffix("?") ? self : self + "." }
}

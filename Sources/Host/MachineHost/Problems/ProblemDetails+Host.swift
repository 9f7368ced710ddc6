import HTTPModel
import JSONText

// The problems in a host's responses. Each kind has a page of the same name.
extension ProblemDetails {
    static func notFound(_ detail: String) -> ProblemDetails {
        ProblemDetails(status: .notFound, kind: "not-found", title: "Not found", detail: detail)
    }

    static let noResource = ProblemDetails.notFound("No resource exists at this path.")

    static func noInput(of machine: RegisteredMachine) -> ProblemDetails {
        .notFound(
            "The machine \"\(machine.definition.name)\" has no input of this name. Its inputs are: \(machine.inputNames)."
        )
    }

    static let noSession = ProblemDetails.notFound(
        "No session has this id. An unused session expires, and is forgotten some time after its end.")

    /// - Parameter reason: The reason for which the session has ended; nil if it is not known.
    static func sessionEnded(_ reason: EndReason?) -> ProblemDetails {
        var members: [(name: String, value: Member)] = []
        if let reason { members.append(("reason", .string(reason.name))) }
        if let incident = reason?.incident { members.append(("incident", .string(incident))) }
        return ProblemDetails(
            status: .gone, kind: "session-ended", title: "Session ended",
            detail: "The session has ended. Create a new one.", members: members)
    }

    static func notAcceptable(offered: String) -> ProblemDetails {
        ProblemDetails(
            status: .notAcceptable, kind: "not-acceptable", title: "Not acceptable",
            detail: "Expected Accept to allow \(offered), which this path offers.")
    }

    static func unsupportedMediaType(_ type: String?) -> ProblemDetails {
        let received = type.map { "\"\($0)\"" } ?? "no Content-Type"
        return ProblemDetails(
            status: .unsupportedMediaType, kind: "unsupported-media-type", title: "Unsupported media type",
            detail: "Expected a body of type application/json, got \(received).", fields: [.accept: "application/json"])
    }

    /// Names the supported codings, as RFC 9110 §12.5.3 requires.
    static func unsupportedCoding(_ coding: String) -> ProblemDetails {
        ProblemDetails(
            status: .unsupportedMediaType, kind: "unsupported-media-type", title: "Unsupported content coding",
            detail: "Expected a body without a content coding, got \"\(coding)\".",
            fields: [.acceptEncoding: "identity"])
    }

    static func malformedJSON(_ error: JSONSyntaxError, in body: [UInt8]) -> ProblemDetails {
        let (line, column) = error.place(in: body)
        return ProblemDetails(
            status: .badRequest, kind: "malformed-json", title: "Malformed JSON",
            detail: "Line \(line), column \(column): expected \(error.expected), got \(error.found(in: body)).",
            members: [("line", .number(line)), ("column", .number(column))])
    }

    static func malformedField(_ name: HTTPFieldName, expected: String) -> ProblemDetails {
        ProblemDetails(
            status: .badRequest, kind: "malformed-request", title: "Malformed request",
            detail: "The field \(name) must be \(expected).")
    }

    static func malformedQuery(_ detail: String) -> ProblemDetails {
        ProblemDetails(
            status: .badRequest, kind: "malformed-request", title: "Malformed request", detail: detail)
    }

    static func invalidValue(_ detail: String, _ errors: [Item]) -> ProblemDetails {
        assert(!errors.isEmpty, "expected at least one fault")
        return ProblemDetails(
            status: .unprocessableContent, kind: "invalid-value", title: "Invalid value", detail: detail, errors: errors
        )
    }

    /// Returns the problem of an invalid value, with all faults that were found.
    static func invalidValue(of what: String, _ mismatch: InputMismatch) -> ProblemDetails {
        let items = mismatch.items
        let shown = items.prefix(3).map { $0.pointer.isEmpty ? $0.detail : "at \($0.pointer): \($0.detail)" }
        let separator = mismatch.pointer.isEmpty ? ": " : " "
        return invalidValue(
            (what + separator + shown.joined(separator: "; ")).sentence,
            items.map { Item(pointer: $0.pointer, detail: $0.detail) })
    }

    static func refused(input name: String, _ refusal: InputRefusal) -> ProblemDetails {
        switch refusal.kind {
        case .missingState:
            refusal.problem(
                "The state of the input \"\(name)\" does not exist: \(refusal.reason). Nothing was changed.")
        case .machine: refusal.problem("The machine refuses the input \"\(name)\": \(refusal.reason).")
        case .invalidValue:
            invalidValue(of: "The input \"\(name)\"", InputMismatch(pointer: "", detail: refusal.reason))
        }
    }

    /// Returns the problem of a batch in which an input was refused: the inputs before it were run, the others were not.
    static func refused(batchInput place: Int, _ refusal: InputRefusal, version: UInt64) -> ProblemDetails {
        assert(place >= 0, "expected the index of an input, got \(place)")
        let effect =
            place == 0
            ? "No input of the batch was run"
            : "The \(place == 1 ? "input before it was" : "\(place) inputs before it were") run, this one and the rest were not"
        let cause =
            switch refusal.kind {
            case .missingState: "The state of the input at /\(place) does not exist"
            case .machine: "The machine refuses the input at /\(place)"
            case .invalidValue: "The machine rejects the value of the input at /\(place)"
            }
        return refusal.problem(
            "\(cause): \(refusal.reason). \(effect).",
            errors: [.init(pointer: "/\(place)", detail: refusal.reason)],
            members: [("ran", .number(place)), ("version", .number(Int(clamping: version)))])
    }

    static let nameWithoutPrincipal = ProblemDetails(
        status: .forbidden, kind: "forbidden", title: "Forbidden",
        detail:
            "A session with a name belongs to a principal, and the request has none. Send credentials, or create the "
            + "session without a name.")

    /// - Parameter name: The name that the session has.
    static func differentParameters(named name: String) -> ProblemDetails {
        ProblemDetails(
            status: .conflict, kind: "name-in-use", title: "Name in use",
            detail:
                "The session \"\(name)\" was created with other parameters. Send the same ones, delete the session, or "
                + "choose another name.")
    }

    static func versionMismatch(_ condition: String, _ current: StreamPosition) -> ProblemDetails {
        ProblemDetails(
            status: .preconditionFailed, kind: "version-mismatch", title: "Version mismatch",
            detail: "\(condition) the session's version, which is \(current.version).",
            members: [("version", .number(Int(clamping: current.version)))], fields: [.eTag: current.entityTag])
    }

    static let idempotencyConflict = ProblemDetails(
        status: .conflict, kind: "idempotency-conflict", title: "Request in progress",
        detail: "The first request with this Idempotency-Key is still in progress.", fields: [.retryAfter: "1"])

    static let idempotencyMismatch = ProblemDetails(
        status: .unprocessableContent, kind: "idempotency-mismatch", title: "Idempotency key used before",
        detail: "This Idempotency-Key was used for a different request. Use a new key for each request.")

    /// - Parameter holder: The subject and the verb of the sentence, such as `The session remembers`.
    static func tooManyKeys(_ holder: String, retryAfter seconds: Int) -> ProblemDetails {
        assert(seconds > 0, "expected a time from one second on, got \(seconds)")
        return ProblemDetails(
            status: .tooManyRequests, kind: "too-many-keys", title: "Too many idempotency keys",
            detail: "\(holder) the maximum number of Idempotency-Keys. Retry in \(seconds) s, when the oldest key "
                + "expires, or send the request without a key.",
            fields: [.retryAfter: HTTPFieldValue(seconds)])
    }

    static func sessionFull(_ size: Int, limit: Int) -> ProblemDetails {
        assert(size > limit, "expected more than \(limit) bytes, got \(size)")
        return ProblemDetails(
            status: .insufficientStorage, kind: "session-full", title: "Session full",
            detail:
                "The session retains \(size) bytes, more than the limit of \(limit) (sessions.maxSessionBytes). It can "
                + "still be read. Delete it and create a new one.")
    }

    static let noRoom = ProblemDetails.unavailable(
        "the sessions of the server have reached their memory limit (sessions.maxBytes); delete sessions that are not needed",
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
                    "This client has \(configuration.maxSessionsPerClient ?? 0) sessions, the limit for one client. "
                        + "Delete one, or try again later.", 30
                )
            case .tooFast:
                (
                    "This client creates more than \(configuration.maxNewSessionsPerClient ?? 0) sessions per second. "
                        + "Try again later.", 1
                )
            }
        return ProblemDetails(
            status: .tooManyRequests, kind: "too-many-sessions", title: "Too many sessions", detail: detail,
            fields: [.retryAfter: HTTPFieldValue(seconds)])
    }

    static func unavailable(_ reason: String, retryAfter seconds: Int) -> ProblemDetails {
        assert(seconds > 0, "expected a time from one second on, got \(seconds)")
        return ProblemDetails(
            status: .serviceUnavailable, kind: "unavailable", title: "Unavailable",
            detail: "Try again later: \(reason).", fields: [.retryAfter: HTTPFieldValue(seconds)])
    }

    /// The response for the key of an input that ended the process.
    static func inputUndone(incident: String) -> ProblemDetails {
        ProblemDetails(
            status: .internalServerError, kind: "internal-error", title: "Internal error",
            detail:
                "The input ended the server's process, which has started again, and the session is as it was before "
                + "the input. Report the incident to the operator of the server.",
            members: [("incident", .string(incident))])
    }

    static func newerSession(incident: String) -> ProblemDetails {
        kept("A newer version of the server has stored this session, and this version cannot read it", incident)
    }

    static func sealedSession(incident: String) -> ProblemDetails {
        kept("The stored session requires an encryption key that the server does not have", incident)
    }

    static func unreadableSession(incident: String) -> ProblemDetails {
        kept("The stored session cannot be read", incident)
    }

    private static func kept(_ reason: String, _ incident: String) -> ProblemDetails {
        ProblemDetails(
            status: .serviceUnavailable, kind: "unavailable", title: "Unavailable",
            detail: "\(reason). It is kept unchanged. Report the incident to the operator of the server.",
            members: [("incident", .string(incident))], fields: [.retryAfter: "60"])
    }

    static let diskFull = ProblemDetails(
        status: .insufficientStorage, kind: "disk-full", title: "Disk full",
        detail:
            "The disk of the server is nearly full, so that inputs cannot be stored. Nothing was changed. Try again later.",
        fields: [.retryAfter: "30"])

    /// The journal's engine does not respond. The log has the reason.
    static let journalUnavailable = unavailable("the database of the sessions does not respond", retryAfter: 5)

    static let outcomeUnknown = ProblemDetails(
        status: .serviceUnavailable, kind: "unavailable", title: "Unavailable",
        detail:
            "The database of the sessions does not respond, so that it is not known whether the request will count. Repeat it only "
            + "with the Idempotency-Key that it had.",
        members: [("outcome", .string("unknown"))], fields: [.retryAfter: "5"])

    static func machineFailed(incident: String) -> ProblemDetails {
        ProblemDetails(
            status: .internalServerError, kind: "internal-error", title: "Internal error",
            detail: "The machine failed and its session has ended. Report the incident to the operator of the server.",
            members: [("incident", .string(incident))])
    }
}

extension String {
    /// The text with a full stop, unless it ends with a question mark.
    var sentence: String { hasSuffix("?") ? self : self + "." }
}

extension InputRefusal {
    fileprivate func problem(
        _ detail: String, errors: [ProblemDetails.Item] = [],
        members: [(name: String, value: ProblemDetails.Member)] = []
    ) -> ProblemDetails {
        let (status, kind, title): (HTTPStatus, String, String) =
            switch self.kind {
            case .missingState: (.conflict, "missing-state", "State no longer exists")
            case .machine: (.conflict, "input-refused", "Input refused")
            case .invalidValue: (.unprocessableContent, "invalid-value", "Invalid value")
            }
        return ProblemDetails(
            status: status, kind: kind, title: title, detail: detail, errors: errors, members: members)
    }
}

import HTTPModel

extension SessionShard {
    /// `POST /v1/sessions`.
    func createSession(_ request: HTTPRequest) throws(ProblemDetails) -> HTTPResponse {
        let document = try document(request)
        guard let document, document.kind == .object else {
            throw .invalidValue(
                "Expected an object with the member \"machine\".", [.init(pointer: "", detail: "expected an object")])
        }
        if let unknown = InputMismatch(unknownMembersOf: document, known: ["machine"]) {
            throw .invalidValue(of: "The body", unknown)
        }
        guard let name = document.member("machine")?.string else {
            throw .invalidValue(
                "Expected the name of a machine in the member \"machine\".",
                [.init(pointer: "/machine", detail: "expected a string")])
        }
        let machine = try machine(named: name)
        try requireJSONAccepted(request)
        let session = try makeSession(of: machine)
        var response = HTTPResponse(status: .created, fields: jsonFields, body: .bytes(description(of: session)))
        response.fields.append(.location, HTTPFieldValue("/v1/sessions/\(session.id.text)") ?? "")
        response.fields.append(.eTag, SessionShard.entityTag(session.version))
        return response
    }

    /// `GET /v1/sessions/{id}`.
    func showSession(_ session: Session, _ request: HTTPRequest) throws(ProblemDetails) -> HTTPResponse {
        if isUnchanged(session.version, for: request) { return notModified(session) }
        var response = try json(description(of: session), for: request)
        response.fields.append(.eTag, SessionShard.entityTag(session.version))
        return response
    }

    func notModified(_ session: Session) -> HTTPResponse {
        HTTPResponse(
            status: .notModified,
            fields: [.eTag: SessionShard.entityTag(session.version), .cacheControl: "no-store"])
    }

    private func description(of session: Session) -> [UInt8] {
        var json = Array("{\"id\":\"".utf8)
        session.id.append(to: &json)
        json.append("\",\"machine\":")
        JSONText.append(session.machineKind.definition.name, to: &json)
        json.append(",\"version\":")
        Decimal.append(session.version, to: &json)
        json.append(",\"outputs\":")
        session.appendOutputs(only: nil, to: &json)
        json.append(",\"created\":\"")
        session.created.append(to: &json)
        json.append("\",\"expires\":\"")
        WallTime(seconds: host.wallClock().seconds + Int64(times.idleExpiry)).append(to: &json)
        json.append("\"}")
        return json
    }
}

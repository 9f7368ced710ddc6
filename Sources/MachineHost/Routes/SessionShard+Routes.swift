import HTTPModel

extension SessionShard {
    /// The answer to a request, by its path and method.
    func answer(to request: HTTPRequest) throws(ProblemDetails) -> HTTPResponse {
        switch Route(target: request.target) {
        case .input(let id, let name):
            try allow(request, .post, "POST")
            return try takeInput(request, session: id, input: name)
        case .inputs(let id):
            try allow(request, .post, "POST")
            return try takeBatch(request, session: id)
        case .outputs(let id):
            try allow(request, .get, "GET, HEAD")
            return try showOutputs(request, session: id)
        case .session(let id): return try answer(to: request, session: id)
        case .sessions:
            try allow(request, .post, "POST")
            return try createSession(request)
        case .machines:
            try allow(request, .get, "GET, HEAD")
            return try json(host.catalogue.json, for: request)
        case .machine(let name):
            let machine = try machine(named: name)
            try allow(request, .get, "GET, HEAD")
            return try json(machine.json, for: request)
        case .live, .ready:
            try allow(request, .get, "GET, HEAD")
            return try health(request)
        case .noSession: throw .noSession
        case .unknown: throw .notFound("There is nothing at this path.")
        }
    }

    private func answer(to request: HTTPRequest, session id: SessionID) throws(ProblemDetails) -> HTTPResponse {
        let session = try session(id)
        switch request.method {
        case .get, .head: return try showSession(session, request)
        case .delete:
            end(session, .deleted)
            return HTTPResponse(status: .noContent)
        default: throw .methodNotAllowed(request.method, allow: "GET, HEAD, DELETE")
        }
    }

    private func health(_ request: HTTPRequest) throws(ProblemDetails) -> HTTPResponse {
        guard Route(target: request.target) == .live || !isDraining else {
            throw .unavailable("the server is shutting down", retryAfter: 5)
        }
        return try json(Array("{\"status\":\"ok\"}".utf8), for: request)
    }

    /// Refuses other methods; where GET is allowed, HEAD is.
    private func allow(
        _ request: HTTPRequest, _ method: HTTPMethod, _ allowed: StaticString
    ) throws(ProblemDetails) {
        guard request.method == method || (method == .get && request.method == .head) else {
            throw .methodNotAllowed(request.method, allow: allowed)
        }
    }

    /// A session that is there; being asked for keeps it from expiring.
    func session(_ id: SessionID) throws(ProblemDetails) -> Session {
        guard let session = sessions[id] else {
            throw ended.contains(id) ? .sessionEnded : .noSession
        }
        session.lastActivity = tick
        return session
    }

    func machine(named name: String) throws(ProblemDetails) -> RegisteredMachine {
        guard let machine = host.catalogue[name] else {
            let names = host.catalogue.machines.map { "\"\($0.definition.name)\"" }.joined(separator: ", ")
            throw .notFound("There is no machine of that name; there are: \(names).")
        }
        return machine
    }

    /// An answer in JSON, if the client takes that.
    func json(
        _ body: [UInt8], status: HTTPStatus = .ok, for request: HTTPRequest
    ) throws(ProblemDetails) -> HTTPResponse {
        try requireJSONAccepted(request)
        return HTTPResponse(status: status, fields: jsonFields, body: .bytes(body))
    }

    func requireJSONAccepted(_ request: HTTPRequest) throws(ProblemDetails) {
        guard request.fields.contains(.accept), !request.fields.value(.accept, equalsIgnoringCase: "*/*") else {
            return
        }
        guard MediaPreference(request.fields.value(.accept)).quality(of: "application/json") > 0 else {
            throw .notAcceptable(offered: "application/json")
        }
    }

    /// Whether `If-None-Match` names this version.
    func isUnchanged(_ version: UInt64, for request: HTTPRequest) -> Bool {
        guard let value = request.fields.value(.ifNoneMatch) else { return false }
        return EntityTags(value)?.matchesWeakly(version) ?? false
    }

    static func entityTag(_ version: UInt64) -> HTTPFieldValue {
        HTTPFieldValue("\"\(version)\"") ?? "\"\""
    }
}

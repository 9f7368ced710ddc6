import Access
import HTTPModel

extension SessionShard {
    /// Returns the response to a request, by path and method.
    func perform(_ request: HTTPRequest, _ context: inout RequestContext) throws(ProblemDetails) -> HTTPResponse {
        loop.assertCurrent()
        guard context.route.takes(request.method) else { return try answerOther(request, &context) }
        switch context.route {
        case .input(let id, let name): return try takeInput(request, &context, session: id, input: name)
        case .inputs(let id): return try takeBatch(request, &context, session: id)
        case .outputs(let id): return try showOutputs(request, &context, session: id)
        case .stream(let id): return try describeStream(request, &context, session: id)
        case .combinedOutputs: return try openCombinedStream(request, from: context.requester)
        case .session(let id):
            let session = try authorize(request.method == .delete ? .delete : .read, on: id, &context)
            let view = visibleOutputs(of: session, to: context.requester)
            try checkVersion(request, session, view)
            guard request.method == .delete else { return try showSession(session, view, request) }
            end(session, .deleted)
            context.wait(for: session.lastSequence)
            return HTTPResponse(status: .noContent)
        case .tickets(let id): return try answerTickets(request, &context, session: id)
        case .sessions: return try createSession(request, &context)
        case .machines: return try json(listOfMachines(to: context.requester), for: request)
        case .machine(let name):
            return try json(description(of: try machine(named: name), to: context.requester), for: request)
        case .description(let form): return try describe(nil, as: form, request, to: context.requester)
        case .machineDescription(let name, let form):
            return try describe(name, as: form, request, to: context.requester)
        case .live, .ready: return try health(request, context.route)
        case .noSession: throw .noSession
        case .unknown: throw .noResource
        }
    }

    /// Responds to a method that the resource does not support: `OPTIONS` returns the supported methods (RFC 9110
    /// §9.3.7), any other method fails with 405.
    private func answerOther(
        _ request: HTTPRequest, _ context: inout RequestContext
    ) throws(ProblemDetails) -> HTTPResponse {
        let route = context.route
        switch route {
        case .session(let id): _ = try authorize(.read, on: id, &context)
        case .tickets where !issuesTickets: throw .noResource
        case .description where host.documents == nil, .machineDescription where host.documents == nil:
            throw .noResource
        case .machine(let name), .machineDescription(let name, _): _ = try machine(named: name)
        default: break
        }
        let allowed = HTTPFieldValue("\(route.allowed)") ?? ""
        guard request.method == .options else { throw .methodNotAllowed(request.method, allow: allowed) }
        return HTTPResponse(status: .noContent, fields: [.allow: allowed])
    }

    private func health(_ request: HTTPRequest, _ route: Route) throws(ProblemDetails) -> HTTPResponse {
        guard route == .live || !isDraining else {
            throw .unavailable("the server is shutting down", retryAfter: 5)
        }
        guard route == .live || host.journal?.lacksSpace != true else {
            throw .unavailable("the disk is nearly full", retryAfter: 30)
        }
        if route != .live, host.journal?.lacksEngine == true { throw .journalUnavailable }
        return try json(Array("{\"status\":\"ok\"}".utf8), for: request)
    }

    func machine(named name: String) throws(ProblemDetails) -> RegisteredMachine {
        guard let machine = host.catalogue[name] else {
            let names = host.catalogue.machines.map { "\"\($0.definition.name)\"" }.joined(separator: ", ")
            throw .notFound("No machine has this name. The machines are: \(names).")
        }
        return machine
    }

    /// Returns a JSON response if the client accepts JSON.
    func json(
        _ body: [UInt8], status: HTTPStatus = .ok, for request: HTTPRequest
    ) throws(ProblemDetails) -> HTTPResponse {
        try requireJSONAccepted(request)
        return HTTPResponse(status: status, fields: jsonFields, body: .bytes(body))
    }

    func requireJSONAccepted(_ request: HTTPRequest) throws(ProblemDetails) {
        try requireAccepted("application/json", by: request)
    }

    func requireAccepted(_ type: String, by request: HTTPRequest) throws(ProblemDetails) {
        guard request.fields.contains(.accept), !request.fields.value(.accept, equalsIgnoringCase: "*/*") else {
            return
        }
        guard MediaPreference(request.fields.list(.accept)).quality(of: type) > 0 else {
            throw .notAcceptable(offered: type)
        }
    }
}

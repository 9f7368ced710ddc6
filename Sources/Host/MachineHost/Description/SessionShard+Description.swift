import Access
import HTTPModel

// `/openapi.json` and `/v1/machines/{machine}/openapi.json`.
extension SessionShard {
    /// Returns the document about the host.
    func describeHost(_ request: HTTPRequest) throws(ProblemDetails) -> HTTPResponse {
        try document(about: .init(access: describedAccess), request) {
            .host(host.catalogue.machines.map(\.definition))
        }
    }

    /// Returns the document about a machine, with the outputs that the requester sees.
    func describeMachine(
        named name: String, _ request: HTTPRequest, to requester: Requester
    ) throws(ProblemDetails) -> HTTPResponse {
        let machine = try machine(named: name)
        let filter = visibleOutputs(of: machine, to: requester)
        let subject = HostDocuments.Subject(
            machine: host.catalogue.machines.firstIndex { $0 === machine }, access: describedAccess,
            view: filter?.tag ?? 0)
        // Otherwise the document would be taken for that of the host.
        assert(subject.machine != nil, "expected a machine of the host")
        return try document(about: subject, request) {
            let outputs = machine.definition.outputs.enumerated().filter { place, _ in
                filter?.indices.contains(place) ?? true
            }
            return .machine(machine.definition, outputs: outputs.map(\.element))
        }
    }

    private func document(
        about subject: HostDocuments.Subject, _ request: HTTPRequest, _ describe: () -> HostDescription.Subject
    ) throws(ProblemDetails) -> HTTPResponse {
        guard let documents = host.documents else { throw .noResource }
        try requireJSONAccepted(request)
        let document = documents.document(about: subject) { HostDescription(describe(), access: subject.access) }
        // Private, because the content depends on who the request comes from.
        let fields: HTTPFields = [.cacheControl: "private, no-cache", .eTag: document.tag.fieldValue]
        let known = request.fields.list(.ifNoneMatch).flatMap { EntityTags($0) }
        if known?.matchesWeakly([document.tag.opaque]) == true {
            return HTTPResponse(status: .notModified, fields: fields)
        }
        var response = HTTPResponse(status: .ok, fields: fields, body: .bytes(document.json))
        response.fields.append(.contentType, "application/json")
        return response
    }

    private var describedAccess: HostDescription.Access {
        .init(
            authenticates: access.configuration.authentication != nil,
            requiresCredentials: access.configuration.requiresPrincipal, issuesTickets: issuesTickets)
    }
}

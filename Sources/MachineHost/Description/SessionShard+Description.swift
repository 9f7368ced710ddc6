import Access
import HTTPModel

// `/openapi.json`.
extension SessionShard {
    /// Returns the document about the machines that the requester sees, or about one of them (`?machine=NAME`).
    func describeHost(_ request: HTTPRequest) throws(ProblemDetails) -> HTTPResponse {
        guard let documents = host.documents else { throw .noResource }
        let machines = host.catalogue.machines
        var subject = HostDocuments.Subject(machine: try requestedMachine(request), access: describedAccess)
        let filters = machines.map { host.catalogue.hasViews ? visibleOutputs(of: $0) : nil }
        if host.catalogue.hasViews { subject.views = filters.map { $0?.tag ?? 0 } }
        try requireJSONAccepted(request)
        let document = documents.document(about: subject) {
            describe(machines.indices.filter { subject.machine == nil || subject.machine == $0 }, filters)
        }
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

    /// Returns the index of the machine in the query; nil if the query names none.
    private func requestedMachine(_ request: HTTPRequest) throws(ProblemDetails) -> Int? {
        guard let name = try parameter("machine", of: request) else { return nil }
        let machine = try machine(named: name)
        return host.catalogue.machines.firstIndex { $0 === machine }
    }

    private var describedAccess: HostDescription.Access {
        .init(
            authenticates: access.configuration.authentication != nil,
            requiresCredentials: access.configuration.requiresPrincipal, issuesTickets: issuesTickets)
    }

    private func describe(_ indices: [Int], _ filters: [OutputFilter?]) -> HostDescription {
        var description = HostDescription(
            machines: indices.map { index in
                let definition = host.catalogue.machines[index].definition
                let outputs = definition.outputs.enumerated().filter { place, _ in
                    filters[index]?.indices.contains(place) ?? true
                }
                return .init(definition, outputs: outputs.map(\.element))
            })
        description.access = describedAccess
        return description
    }
}

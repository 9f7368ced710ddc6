import Access
import HTTPModel

// `/openapi.json`, `/v1/machines/{machine}/openapi.json`, and the same in other forms.
extension SessionShard {
    /// Returns the document about the host or about one of its machines, with the outputs that the requester sees.
    ///
    /// - Parameter name: The name of the machine; nil for the host.
    func describe(
        _ name: String?, as form: DescriptionForm, _ request: HTTPRequest, to requester: Requester
    ) throws(ProblemDetails) -> HTTPResponse {
        guard let documents = host.documents else { throw .noResource }
        var machines = host.catalogue.machines
        if let name { machines = [try machine(named: name)] }
        try requireAccepted(form.mediaType, by: request)
        let filters = machines.map { visibleOutputs(of: $0, to: requester) }
        let subject = HostDocuments.Subject(
            form: form, machine: name, access: describedAccess, views: filters.map { $0?.tag ?? 0 })
        let document = documents.document(about: subject) {
            let seen = zip(machines, filters).map { $0.definition.limited(to: $1) }
            return HostDescription(
                name == nil ? .host(seen) : .machine(seen[0]), as: form, access: subject.access)
        }
        // Private, because the content depends on who the request comes from.
        let fields: HTTPFields = [.cacheControl: "private, no-cache", .eTag: document.tag.fieldValue]
        let known = request.fields.list(.ifNoneMatch).flatMap { EntityTags($0) }
        if known?.matchesWeakly([document.tag.opaque]) == true {
            return HTTPResponse(status: .notModified, fields: fields)
        }
        var response = HTTPResponse(status: .ok, fields: fields, body: .bytes(document.content))
        response.fields.append(.contentType, form.contentType)
        return response
    }

    private var describedAccess: HostDescription.Access {
        .init(
            authenticates: access.configuration.authentication != nil,
            requiresCredentials: access.configuration.requiresPrincipal, issuesTickets: issuesTickets)
    }
}

extension DescriptionForm {
    fileprivate var contentType: HTTPFieldValue {
        switch self {
        case .openAPI: "application/json"
        case .types: "text/plain; charset=utf-8"
        }
    }
}

extension MachineDefinition {
    /// Returns the definition with the outputs of a filter; nil for all.
    fileprivate func limited(to filter: OutputFilter?) -> MachineDefinition {
        guard let filter else { return self }
        var limited = self
        limited.outputs = outputs.indices.filter(filter.indices.contains).map { outputs[$0] }
        return limited
    }
}

import JSONText

struct SessionDescription: Equatable, Sendable {
    let id: String
    let version: UInt64?
    /// The outputs, as JSON.
    let outputs: [UInt8]

    /// Reads the response to a request for a session.
    static func read(_ response: ClientResponse) -> Result<SessionDescription, GranaryError> {
        guard let object = response.object, let id = object.member("id")?.string, !id.isEmpty,
            let outputs = object.member("outputs"), outputs.kind == .object
        else { return .failure(.incompatible("expected a session with the members \"id\" and \"outputs\"")) }
        let version = object.member("version").flatMap { UInt64(json: $0.slice) }
        return .success(SessionDescription(id: id, version: version, outputs: Array(outputs.slice)))
    }
}

import HTTPModel
import JSONText

/// The new session that a request states: the machine, its parameters, and a name.
// A class, so that other requests hold a nil reference only.
final class RequestedSession {
    let machine: RegisteredMachine
    /// The name; nil if the request states none.
    let name: String?
    /// The parameters as JSON; nil if the machine takes none.
    let parameters: ArraySlice<UInt8>?
    /// The decoded parameters.
    let value: (any Sendable)?

    /// The name under which the session is found or created, with the id of a new one; nil if it has none, or a browser makes its first
    /// visit.
    var named: (place: NamedPlace, id: SessionID)?

    init(
        _ machine: RegisteredMachine, named name: String?, _ parameters: (json: ArraySlice<UInt8>, value: any Sendable)?
    ) {
        (self.machine, self.name) = (machine, name)
        (self.parameters, value) = (parameters?.json, parameters?.value)
    }

    /// Returns what the new session keeps.
    func creation(named name: SessionName?) -> SessionCreation? {
        SessionCreation(parameters: parameters, value: value, name: name)
    }
}

extension SessionShard {
    private static let members = ["machine", "name", "parameters"]

    /// Returns what the body of `POST /v1/sessions` states, which is read once.
    func requestedSession(
        _ request: HTTPRequest, _ context: inout RequestContext
    ) throws(ProblemDetails) -> RequestedSession {
        if let known = context.requested { return known }
        let requested = try requestedSession(request)
        context.requested = requested
        return requested
    }

    /// Reads the body of `POST /v1/sessions`.
    private func requestedSession(_ request: HTTPRequest) throws(ProblemDetails) -> RequestedSession {
        let document = try document(request)
        guard let document, document.kind == .object else {
            throw .invalidValue(
                "Expected an object with the member \"machine\".",
                [.init(pointer: "", detail: "expected an object, got \(document?.kind.name ?? "no body")")])
        }
        if let unknown = InputMismatch(unknownMembersOf: document, known: SessionShard.members) {
            throw .invalidValue(of: "The body", unknown)
        }
        guard let machineName = document.member("machine")?.string else {
            throw .invalidValue(
                "Expected the name of a machine in the member \"machine\".",
                [.init(pointer: "/machine", detail: "expected a string")])
        }
        let machine = try machine(named: machineName)
        let name = try sessionName(document)
        do throws(InputMismatch) {
            let parameters = try machine.definition.readParameters(document.member("parameters"))
            return RequestedSession(machine, named: name, parameters)
        } catch {
            throw .invalidValue(of: "The body", error.inside("/parameters"))
        }
    }

    /// Returns the name in the body of a request; nil if it has none.
    private func sessionName(_ document: JSONValue) throws(ProblemDetails) -> String? {
        guard let member = document.member("name"), member.kind != .null else { return nil }
        if let name = member.string, SessionName.isValid(name) { return name }
        let expected = "expected 1 to \(SessionName.maxCount) letters, digits, \"-\", \".\", \"_\" and \"~\""
        let found = member.kind == .string ? "another string" : member.kind.name
        throw .invalidValue(
            of: "The body", InputMismatch(pointer: "/name", detail: "\(expected), got \(found)"))
    }
}

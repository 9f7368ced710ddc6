import Dispatch
import HTTPModel
import Locking
import Log
import MachineHost
import StateCapture

/// A value of the configuration, as operators see it.
struct EffectiveValue: Sendable, Equatable {
    let name: String
    /// The value as in a flag. A secret is `set` or `unset`.
    let value: String
    /// Whether it is the default.
    let isDefault: Bool

    static func all<Root>(of table: ConfigurationTable<Root>, in root: Root) -> [EffectiveValue] {
        table.keys.map { key in
            let text = key.text(in: root)
            return EffectiveValue(name: key.name, value: text, isDefault: text == key.text(in: table.defaults))
        }
    }
}

/// The HTTP interface for operators of a running server: `/admin/v1`. Shared by all loops.
final class AdminInterface: Sendable {
    /// The functions of the server around the host that the interface needs.
    struct Surroundings: Sendable {
        var configuration: @Sendable () -> [EffectiveValue] = { [] }
        /// Shuts the server down; nil if it cannot.
        var drain: (@Sendable () -> Void)?
        /// Replays a recording in a process of its own; nil if the program cannot.
        var replay: ReplayProcess?
    }

    /// The maximum number of requests that wait for loops and for the journal.
    private static let maxPending = 32

    let operations: HostOperations
    let surroundings: Surroundings
    let log: Log
    private let pending = Lock(0)
    // Requests wait for the journal, so each has a thread of its own.
    private let queue = DispatchQueue(label: "granary.admin", qos: .utility, attributes: .concurrent)

    /// Creates the interface of a host.
    ///
    /// - Parameters:
    ///   - surroundings: The functions of the server around it that the interface needs.
    ///   - log: The log whose levels operators change.
    init(_ host: SessionHost, _ surroundings: Surroundings, log: Log) {
        operations = HostOperations(host)
        self.surroundings = surroundings
        self.log = log
    }

    /// Performs a request on another thread.
    ///
    /// - Parameters:
    ///   - operating: Who has sent it.
    ///   - operators: Records what operators do.
    ///   - respond: Receives the response, on any thread.
    func perform(
        _ request: AdminRequest, by operating: Operator, recordedBy operators: OperatorAccess,
        _ respond: @escaping @Sendable (HTTPResponse) -> Void
    ) {
        let hasRoom = pending.withLock { pending in
            guard pending < AdminInterface.maxPending else { return false }
            pending += 1
            return true
        }
        guard hasRoom else { return respond(ProblemDetails.tooManyPending.response) }
        queue.async { [self] in
            let call = AdminCall(self, request) { operators.record($0, by: operating, session: $1) }
            let response = call.response
            pending.withLock { $0 -= 1 }
            respond(response)
        }
    }
}

/// The performance of one request.
struct AdminCall {
    let interface: AdminInterface
    let request: AdminRequest
    private let record: (AuditEvent.Kind, StoredSessionID?) -> Void

    init(
        _ interface: AdminInterface, _ request: AdminRequest,
        record: @escaping (AuditEvent.Kind, StoredSessionID?) -> Void
    ) {
        (self.interface, self.request, self.record) = (interface, request, record)
    }

    var operations: HostOperations { interface.operations }

    /// Performs the request, and returns the response.
    var response: HTTPResponse {
        do {
            return try performed()
        } catch let problem as ProblemDetails {
            return problem.response
        } catch let error as ArchiveError {
            return ProblemDetails(error).response
        } catch {
            return ProblemDetails.operationRefused("\(error)".sentence).response
        }
    }

    private func performed() throws -> HTTPResponse {
        switch request.operation {
        case .listSessions, .lookUpSession, .readSession, .listTurns, .readVersion, .compareVersions, .exportSession:
            try read()
        case .endSession, .hibernateSession, .releaseSession, .forkSession, .sendInput, .replaySession: try change()
        case .listMachines, .listLoops, .readConfiguration, .readLogLevels, .setLogLevels, .drain, .describe:
            try manage()
        }
    }

    func json(_ value: StateValue, _ fields: HTTPFields = HTTPFields()) -> HTTPResponse { content(value.json, fields) }

    /// Returns a response with the bytes of JSON.
    func content(_ bytes: [UInt8], _ fields: HTTPFields = HTTPFields()) -> HTTPResponse {
        var all: HTTPFields = [
            .contentType: "application/json", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
        ]
        fields.forEach { name, value in all.append(checkedName: name, checkedValue: value) }
        return HTTPResponse(status: request.operation.status, fields: all, body: .bytes(bytes))
    }

    /// A response without content.
    var done: HTTPResponse {
        HTTPResponse(status: request.operation.status, fields: [.cacheControl: "no-store"])
    }

    /// Records an action in the log, before it happens.
    func audit(_ action: String, _ id: StoredSessionID? = nil, machine: String? = nil) {
        record(.operatorActed(action: action, machine: machine), id)
    }

    /// The session that the path names, which must exist.
    func session() throws -> OperatedSession { try operations.session(try id(request.path("id"))) }

    /// Returns the stored id with a text, which may be the beginning of it.
    func id(_ text: String) throws -> StoredSessionID {
        guard text.utf8.count <= 32, text.utf8.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "f") }) else {
            throw ProblemDetails.missing(
                "Expected the stored id of a session, 1 to 32 hexadecimal digits. POST \(AdminOperation.root)/lookup finds it "
                    + "for an id that a client holds.")
        }
        return try operations.find(text)
    }

    /// Whether the operator reveals values, which is then recorded.
    func reveals(_ what: String, of session: OperatedSession) throws -> Bool {
        guard try request.revealsValues() else { return false }
        audit("reveal \(what)", session.id, machine: session.summary.machine)
        return true
    }
}

extension ProblemDetails {
    fileprivate static let tooManyPending = ProblemDetails(
        status: .serviceUnavailable, kind: "unavailable", title: "Unavailable",
        detail: "Too many requests of operators wait for the journal.", fields: [.retryAfter: "1"])

    /// Creates the problem of an operation on stored sessions.
    fileprivate init(_ error: ArchiveError) {
        switch error {
        case .noSession, .noVersion: self = .missing(error.description.sentence)
        case .ended:
            self.init(
                status: .gone, kind: "session-ended", title: "Session ended", detail: error.description.sentence)
        case .ambiguous, .busy, .exists, .nameExists, .notExported, .notRestorable,
            .notQuarantined:
            self = .operationRefused(error.description.sentence)
        }
    }
}

extension String {
    /// The text with a capital letter and a full stop.
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".") }
}

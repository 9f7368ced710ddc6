import HTTPModel

/// An operation of the admin interface. The routes and the document of the interface are generated from this list.
enum AdminOperation: String, CaseIterable, Sendable {
    case listSessions, lookUpSession, readSession, endSession, listTurns, readVersion, compareVersions
    case hibernateSession, releaseSession, forkSession, sendInput, exportSession, replaySession
    case listMachines, listLoops, readConfiguration, readLogLevels, setLogLevels, drain, describe

    /// The beginning of all paths.
    static let root = "/admin/v1"

    var method: HTTPMethod { route.method }

    /// The path below ``root``, with its parameters in braces.
    var path: String { route.path }

    private var route: (method: HTTPMethod, path: String) {
        switch self {
        case .listSessions: (.get, "/sessions")
        case .lookUpSession: (.post, "/lookup")
        case .readSession: (.get, "/sessions/{id}")
        case .endSession: (.delete, "/sessions/{id}")
        case .listTurns: (.get, "/sessions/{id}/turns")
        case .readVersion: (.get, "/sessions/{id}/versions/{version}")
        case .compareVersions: (.get, "/comparison")
        case .hibernateSession: (.post, "/sessions/{id}/hibernate")
        case .releaseSession: (.post, "/sessions/{id}/release")
        case .forkSession: (.post, "/sessions/{id}/forks")
        case .sendInput: (.post, "/sessions/{id}/inputs/{input}")
        case .exportSession: (.get, "/sessions/{id}/export")
        case .replaySession: (.post, "/sessions/{id}/replay")
        case .listMachines: (.get, "/machines")
        case .listLoops: (.get, "/loops")
        case .readConfiguration: (.get, "/configuration")
        case .readLogLevels: (.get, "/log")
        case .setLogLevels: (.put, "/log")
        case .drain: (.post, "/drain")
        case .describe: (.get, "/openapi.json")
        }
    }

    /// A sentence about the operation.
    var summary: String {
        switch self {
        case .listSessions: "Lists sessions, in memory and stored, by their stored ids."
        case .lookUpSession: "Returns the stored id of the session with an id that a client holds."
        case .readSession: "Returns a session with its outputs, states, effects, streams, and last turns."
        case .endSession: "Ends a session."
        case .listTurns: "Lists the recorded turns of a session, oldest first, and the changes before them."
        case .readVersion: "Returns the outputs, states and effects of a session at a version."
        case .compareVersions: "Returns the outputs and states by which two moments differ."
        case .hibernateSession: "Releases the machine of a session that is in memory."
        case .releaseSession: "Lets a quarantined session be restored again."
        case .forkSession: "Creates a session from another one at a version."
        case .sendInput: "Runs an input in a session, as a turn without a sender."
        case .exportSession: "Returns a session with its turns, for `granary sessions import` and `granary replay`."
        case .replaySession:
            "Runs the recorded turns again with this build, in a process of its own, and returns the first difference."
        case .listMachines: "Lists the machines with their inputs and outputs."
        case .listLoops: "Lists the event loops."
        case .readConfiguration: "Returns the effective configuration. A secret is `set` or `unset`."
        case .readLogLevels: "Returns the level of the log and of its modules."
        case .setLogLevels: "Changes the level of the log, for all modules or for some."
        case .drain: "Shuts the server down as SIGTERM does."
        case .describe: "Returns this document."
        }
    }

    var query: [AdminParameter] {
        switch self {
        case .listSessions:
            [
                .init("id", "The beginning of the stored id, in hexadecimal digits."),
                .init("log", "The name of the session in the log of this process."),
                .init("machine", "The name of the machine."),
                .init("principal", "The hash of the principal, as in the log."),
                .init("state", "Where the session is: live, dormant, quarantined or ended."),
                .init("olderThan", "The least number of seconds since the creation.", isNumber: true),
                .init("youngerThan", "The number of seconds within which it was created.", isNumber: true),
                .init("unusedFor", "The least number of seconds since the last use.", isNumber: true),
                .init("limit", "The maximum number of sessions, 1 to 500; 100 if it is missing.", isNumber: true),
                .init("after", "The value of `next` in the page before."),
            ]
        case .readSession, .readVersion, .replaySession: [.values]
        case .listTurns:
            [
                .init("after", "The number of the turn after which to begin.", isNumber: true),
                .init("limit", "The maximum number of turns, 1 to 2000; 500 if it is missing.", isNumber: true),
                .init("latest", "`true` for the newest turns instead of the oldest."), .values,
            ]
        case .compareVersions:
            [
                .init("left", "The stored id of a session."),
                .init("leftVersion", "Its version; the newest if it is missing.", isNumber: true),
                .init("right", "The stored id of the other session; the same one if it is missing."),
                .init("rightVersion", "Its version; the newest if it is missing.", isNumber: true), .values,
            ]
        default: []
        }
    }

    /// The names of the members of the body, with their schemas as JSON; nil if there is no body.
    var body: [(name: String, schema: String, isRequired: Bool)]? {
        switch self {
        case .lookUpSession: [("id", #"{"type":"string"}"#, true)]
        case .forkSession: [("version", #"{"type":"integer","minimum":0}"#, false)]
        case .setLogLevels:
            [
                ("level", AdminOperation.levelSchema, false),
                ("modules", #"{"type":"object","additionalProperties":\#(AdminOperation.levelSchema)}"#, false),
            ]
        default: nil
        }
    }

    private static let levelSchema = #"{"enum":["debug","info","warning","error"]}"#

    var status: HTTPStatus {
        switch self {
        case .forkSession: .created
        case .endSession, .hibernateSession, .releaseSession: .noContent
        case .drain: .accepted
        default: .ok
        }
    }

    /// Whether the operation changes something, so that pages of other sites must not cause it.
    var changesSomething: Bool { method != .get }
}

struct AdminParameter: Sendable {
    let name: String
    let summary: String
    let isNumber: Bool

    init(_ name: String, _ summary: String, isNumber: Bool = false) {
        (self.name, self.summary, self.isNumber) = (name, summary, isNumber)
    }

    static let values = AdminParameter(
        "values",
        "`shown` reveals values, which is recorded in the log. Values that a machine marks as secret or sensitive are never shown."
    )
}

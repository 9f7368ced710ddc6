import Foundation
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Log
import MachineHost
import MachineTesting
import StateCapture

@testable import Granary

/// A server with stored sessions, a public listener and one for operators.
final class OperatedServer {
    /// A response with JSON.
    struct Answer {
        let status: Int
        let fields: HTTPFields
        let text: String

        var json: StateValue { (try? StateValue(json: text.utf8)) ?? .null }
    }

    let directory: String
    let logged = Lock("")
    let drained = Lock(0)
    private let store: SessionStore
    private let server: HTTPServer<SiteResponder>
    private let log: Log

    /// A machine whose text is what was said last, and which ends after a while with nothing to do.
    static func machine(_ name: String = "echo", secrets: Set<String> = []) -> MachineDefinition {
        var machine = ScriptedMachine.definition(
            name, outputs: ["text", "token"],
            inputs: [
                "say": { machine, value in machine.set("text", to: value) },
                "login": { machine, value in machine.set("token", to: value) },
            ],
            made: { machine in
                machine.set("text", to: "\"\"")
                machine.set("token", to: "\"\"")
            })
        machine.captureObstacles = []
        machine.sensitive = secrets
        return machine
    }

    /// - Parameter former: The server whose sessions it continues with, which has been stopped and has kept them.
    init(
        _ machines: [MachineDefinition] = [OperatedServer.machine()], replay: ReplayProcess? = nil,
        after former: OperatedServer? = nil, configure: (inout Configuration) -> Void = { _ in }
    ) async throws {
        directory = former?.directory ?? "/tmp/granary-operated-\(UUID().uuidString)"
        var configuration = Configuration()
        configuration.server.loopCount = 2
        configuration.extendTimeouts()
        configuration.storage.directory = directory
        configuration.server.listeners = [
            HTTPListener(.address(host: "127.0.0.1", port: 0)),
            HTTPListener(.address(host: "127.0.0.1", port: 0), role: .admin),
        ]
        configure(&configuration)
        log = Log(level: .info) { [logged] event in
            let fields = event.fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
            logged.withLock { $0 += "\(event.message) \(fields)\n" }
        }
        guard
            let store = try SessionStore(
                configuration.storage, for: machines, program: "test", environment: [:], log: log.module("journal"))
        else { throw HTTPTestError("no store") }
        self.store = store
        let prepared = try ServerPreparation(configuration, store: store, log: log) { machines }
        try await store.open()
        server = prepared.makeServer(
            configuration, log: log,
            admin: .init(
                configuration: { [configuration] in EffectiveValue.all(of: .standard, in: configuration) },
                drain: { [drained] in drained.withLock { $0 += 1 } }, replay: replay))
        _ = try server.start()
    }

    func stop(keepsSessions: Bool = false) async {
        await server.shutdown()
        await store.close()
        if !keepsSessions { try? FileManager.default.removeItem(atPath: directory) }
    }

    private func port(_ role: ListenerRole) throws -> UInt16 {
        for listener in server.listeners where listener.role == role {
            if case .address(_, let port) = listener.place { return port }
        }
        throw HTTPTestError("no listener")
    }

    /// Sends a request to the listener for operators.
    func admin(
        _ method: String, _ target: String, _ body: String? = nil, host: String = "localhost",
        fields: [String] = ["Sec-Fetch-Site: none"]
    ) throws -> Answer {
        try send(.admin, method, target, body, host: host, fields: fields)
    }

    /// Sends a request to a listener.
    func send(
        _ role: ListenerRole, _ method: String, _ target: String, _ body: String? = nil, host: String = "localhost",
        fields: [String] = []
    ) throws -> Answer {
        let client = try HTTPTestClient(port: try port(role))
        defer { client.close() }
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)"] + fields
        if let body { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
        let response = try client.receiveResponse(toHead: method == "HEAD")
        return Answer(status: response.status, fields: response.fields, text: response.text)
    }

    /// Creates a session as a client, and returns its id.
    func makeSession(_ machine: String = "echo") throws -> String {
        let answer = try send(.public, "POST", "/v1/sessions", "{\"machine\":\"\(machine)\"}")
        guard let id = answer.json["id"]?.text else { throw HTTPTestError(answer.text) }
        return id
    }

    /// Says something as a client.
    func say(_ text: String, in id: String, input: String = "say") throws {
        let answer = try send(.public, "POST", "/v1/sessions/\(id)/inputs/\(input)", "\"\(text)\"")
        guard answer.status == 200 else { throw HTTPTestError(answer.text) }
    }

    /// Opens a stream of a session as a client, and receives its snapshot.
    func follow(_ id: String) throws -> HTTPTestClient {
        let client = try HTTPTestClient(port: try port(.public))
        try client.send(
            "GET /v1/sessions/\(id)/outputs HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        guard try client.receiveHead().status == 200, try client.receiveEvents(1).count == 1 else {
            throw HTTPTestError("expected a stream")
        }
        return client
    }

    /// Stores an exported session, as `sessions import` does with the server's journal.
    func importSession(_ text: String) throws {
        _ = try SessionArchive(WriterJournalAccess(store.writer)).importSession(text)
    }

    /// Returns the stored id of a session.
    func stored(_ id: String) throws -> String {
        let answer = try admin("POST", "/admin/v1/lookup", "{\"id\":\"\(id)\"}")
        guard let stored = answer.json["id"]?.text else { throw HTTPTestError(answer.text) }
        return stored
    }
}

extension StateValue {
    /// The elements of an array; empty for other values.
    var elements: [StateValue] { if case .array(let elements) = self { elements } else { [] } }
}

import CombineCore
import Foundation
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Log
import MachineHost
import MachineTesting
import StateCapture
import Telemetry

@testable import Granary

/// A server that exports its spans, with a machine that asks another service.
final class TracedServer {
    /// The other service, which outlives the server.
    final class Service: Sendable {
        private let calls = Lock<[(trace: TraceContext?, attempt: UInt64, answer: CheckedContinuation<String, Never>)]>(
            [])

        var traces: [TraceContext?] { calls.withLock { $0.map(\.trace) } }
        var attempts: [UInt64] { calls.withLock { $0.map(\.attempt) } }

        func ask() async -> String {
            await withCheckedContinuation { answer in
                calls.withLock { $0.append((TraceContext.current, EffectCall.current?.attempt ?? 0, answer)) }
            }
        }

        /// Answers all calls, also those of servers that no longer exist.
        func answer(_ text: String) {
            for call in calls.withLock({ $0 }) { call.answer.resume(returning: text) }
        }
    }

    /// The stored state of the machine: whether it has asked.
    private final class AskedState: StatefulPart {
        static var partName: StaticString { "asked" }
        private let machine: ScriptedMachine

        init(_ machine: ScriptedMachine) { self.machine = machine }

        var partState: String? { machine.value(of: "asked") }

        func restore(_ state: String?) { machine.set("asked", to: state) }
    }

    /// What the machine keeps.
    private final class Pipelines {
        var state: AskedState?
        var ask: () -> Void = {}
        var cancellables: [AnyCancellable] = []
    }

    private let store: SessionStore
    private let server: HTTPServer<SiteResponder>
    private let spans: SpanExporter?

    /// A machine that asks when it gets an input, and again when it is restored.
    static func machine(_ service: Service) -> MachineDefinition {
        var machine = ScriptedMachine.definition(
            "asking", outputs: ["asked", "answer"],
            inputs: [
                "ask": { machine, _ in
                    machine.set("asked", to: "true")
                    (machine.attachment as? Pipelines)?.ask()
                }
            ],
            made: { machine in
                let pipelines = Pipelines()
                let state = AskedState(machine)
                StateRegistry.current?.register(state)
                pipelines.state = state
                machine.attachment = pipelines
                let ask: (String) -> AnyPublisher<String, any Error> = machine.context.effect("question") {
                    (_: String) async throws -> String in await service.ask()
                }
                pipelines.ask = { [unowned pipelines, unowned machine] in
                    let answer = ask("").sink { _ in
                    } receiveValue: {
                        machine.set("answer", to: "\"\($0)\"")
                    }
                    pipelines.cancellables.append(answer)
                }
                if machine.value(of: "asked") != nil { pipelines.ask() }
            })
        machine.captureObstacles = []
        return machine
    }

    /// Starts a server whose sessions are in a directory.
    init(
        _ service: Service, in directory: String, configure: (inout Configuration) -> Void
    ) async throws {
        var configuration = Configuration()
        configuration.server.loopCount = 2
        configuration.extendTimeouts()
        configuration.storage.directory = directory
        configuration.server.listeners = [HTTPListener(.address(host: "127.0.0.1", port: 0))]
        configuration.traces.rate = 1000
        configure(&configuration)
        let machines = [TracedServer.machine(service)]
        guard
            let store = try SessionStore(
                configuration.storage, for: machines, program: "test", environment: [:], log: .silent)
        else { throw HTTPTestError("no store") }
        self.store = store
        let prepared = try ServerPreparation(configuration, store: store, log: .silent) { machines }
        spans = prepared.spans
        try await store.open()
        server = prepared.makeServer(configuration, log: .silent)
        _ = try server.start()
    }

    /// Stops the server, as the end of `serve` does.
    func stop() async {
        await server.shutdown()
        await store.close()
        await spans?.finish(within: .seconds(300))
    }

    /// Returns a connected client.
    func connect() throws -> HTTPTestClient {
        guard case .address(_, let port)? = server.listeners.first?.place else { throw HTTPTestError("no listener") }
        return try HTTPTestClient(port: port)
    }

    /// Sends a request.
    func send(
        _ method: String, _ target: String, _ body: String? = nil, fields: [String] = []
    ) throws -> HTTPTestResponse {
        let client = try connect()
        defer { client.close() }
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + fields
        if let body { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
        return try client.receiveResponse()
    }

    /// Creates a session, and returns its path.
    func makeSession() throws -> String {
        let answer = try send("POST", "/v1/sessions", "{\"machine\":\"asking\"}")
        guard let path = answer.fields.value(.location) else { throw HTTPTestError(answer.text) }
        return path
    }
}

import Combine
import Foundation
import GranaryClient
import HTTPModel
import HTTPServer
import Log
import MachineHost
import Ricemill
import RicemillAdapter
import Testing

@testable import CounterLabel

/// Tests the label with a real server in the same process, over a real connection.
@MainActor
struct CounterLabelTests {
    /// Hosts machines on a free port while the closure runs.
    private func serving(
        _ machines: [MachineDefinition], _ body: (GranaryConnection, SessionHost) async throws -> Void
    ) async throws {
        let host = try SessionHost(machines)
        let server = HTTPServer(configuration: HTTPServerConfiguration(port: 0), log: .silent) { loop in
            host.makeShard(on: loop)
        }
        let address = try server.start()
        let url = try #require(URL(string: "http://127.0.0.1:\(address.port)"))
        do {
            try await body(GranaryConnection(to: url), host)
        } catch {
            await server.shutdown()
            throw error
        }
        await server.shutdown()
    }

    private func counter() throws -> MachineDefinition {
        try .ricemill("counter", summary: "Counts.") { _ in
            CounterMachine(input: .init(), store: .init(), extra: .init())
        }
    }

    /// Waits until a condition holds. The limit only ends a test that hangs.
    private func waitUntil(_ condition: () -> Bool) async throws {
        let limit = ContinuousClock.now + .seconds(120)
        while !condition(), ContinuousClock.now < limit { try await Task.sleep(for: .milliseconds(2)) }
    }

    @Test func `the label shows each count, and its session ends`() async throws {
        try await serving([try counter()]) { connection, host in
            var texts: [String] = []
            try await CounterLabel.countToThree(on: connection) { texts.append($0) }
            #expect(texts == ["0", "1", "2", "3"])
            #expect(host.sessionCount == 0)
        }
    }

    @Test func `an increment returns what the user should know`() async throws {
        try await serving([try counter()]) { connection, _ in
            let counter = try await connection.machine(Counter.self)
            #expect(await increment(counter) == "1")
            try await counter.delete()
            #expect(await increment(counter) == "sessionEnded(GranaryClient.SessionEnd.deleted)")
        }
    }

    @Test func `the stream is left when the machine is released`() async throws {
        try await serving([try counter()]) { connection, host in
            var machine: RemoteMachine<Counter>? = try await connection.machine(Counter.self)
            try await waitUntil { machine?.status == .live }
            #expect(host.streamCount == 1)
            machine = nil
            try await waitUntil { host.streamCount == 0 }
            #expect(host.streamCount == 0)
        }
    }

    @Test func `a server that does not host the counter is an error`() async throws {
        try await serving([]) { connection, _ in
            await #expect(throws: GranaryError.self) {
                try await CounterLabel.countToThree(on: connection) { _ in }
            }
        }
    }
}

/// The machine that the tests host, with the inputs and outputs of the demo's counter.
private final class CounterMachine: Machine<CounterMachine> {
    typealias Output = Store

    final class Input: BindableInputType {
        let increment = PassthroughSubject<Void, Never>()
        let decrement = PassthroughSubject<Void, Never>()
        @Published var isOn = false
    }

    final class Store: StoredOutputType {
        @Published var count = 0
        @Published var isIncrementEnabled = false
        @Published var isDecrementEnabled = false
        @Published var toggleText = ""
    }

    struct Extra: ExtraType {}

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        let counts = input.increment.map { store.count + 1 }
        return Polished(cancellables: [counts.assign(to: \.count, on: store)])
    }
}

import Foundation
import HTTPModel
import MachineHost
import MachineTesting

@testable import GranaryClient

/// A client and a host in memory, with one virtual time.
@MainActor
final class TestWorld {
    let clock = VirtualClock()
    let transport: HostTransport
    let connection: GranaryConnection
    /// Whether the closure that renews the credential returns, so that time stands still meanwhile.
    var renewsCredential = true

    init(
        credential: CredentialSource = .none, seed: UInt64 = 1, host: HostConfiguration = HostConfiguration(),
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws {
        let harness = try HostHarness([Tally.definition()], configuration: host)
        transport = HostTransport(harness, clock)
        var configuration = ClientConfiguration()
        configure(&configuration)
        let server = try Self.url("http://granary.test")
        connection = GranaryConnection(
            to: server, credential: credential, configuration: configuration, transport: transport, clock: clock,
            random: SeededRandom(seed: seed))
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw URLError(.badURL) }
        return url
    }

    /// Creates a session and follows it, in virtual time.
    func machine(
        name: String? = nil, whenSessionEnds policy: SessionEndPolicy = .stop
    ) async throws -> RemoteMachine<Tally> {
        try await finish { try await self.connection.machine(Tally.self, named: name, whenSessionEnds: policy) }
    }

    /// Returns the result of asynchronous work, for which the time advances as far as necessary.
    func finish<Value: Sendable>(_ body: @escaping @MainActor () async throws -> Value) async throws -> Value {
        var result: Result<Value, any Error>?
        Task { @MainActor in
            do { result = .success(try await body()) } catch { result = .failure(error) }
        }
        let limit = clock.now + .seconds(24 * 3600)
        while result == nil, clock.now < limit {
            for _ in 0..<5 { await Task.yield() }
            await settleCredential()
            if result == nil { _ = clock.step(until: limit) }
        }
        guard let result else { throw CancellationError() }
        return try result.get()
    }

    /// Lets time pass, and tasks run in between.
    func pass(_ duration: Duration) async {
        let end = clock.now + duration
        while clock.step(until: end) {
            for _ in 0..<5 { await Task.yield() }
            await settleCredential()
        }
        for _ in 0..<5 { await Task.yield() }
    }

    /// Waits for a renewal of the credential, whose closure runs on another thread.
    func settleCredential() async {
        while renewsCredential, let renewal = connection.renewal { await renewal.task.value }
    }

    /// Returns the id of the session that a request has created, which the host knows by the request's key.
    func sessionID(createdBy request: ClientRequest) throws -> String {
        let answer = transport.deliver(request)
        let response = ClientResponse(status: Int(answer.status.code), fields: [:], body: Array(answer.text.utf8))
        return try SessionDescription.read(response).get().id
    }

    /// The outputs of a session on the server.
    func outputs(of session: String) throws -> Tally.Outputs {
        let answer = transport.harness.send(.get, "/v1/sessions/\(session)/outputs")
        return try Tally.Outputs(OutputValues(Array(answer.text.utf8)))
    }
}

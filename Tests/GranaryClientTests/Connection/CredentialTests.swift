import Foundation
import Synchronization
import Testing

@testable import GranaryClient

@MainActor
struct CredentialTests {
    @Test func `all requests have the credential`() async throws {
        let world = try TestWorld(credential: .fixed(.bearer("secret")))
        let machine = try await world.machine()
        _ = try await world.finish { try await machine.send(.add(1)) }
        await world.pass(.seconds(1))
        #expect(world.transport.requests.count == 3)
        #expect(world.transport.requests.allSatisfy { $0.fields["authorization"] == "Bearer secret" })
    }

    @Test func `without credentials, requests have no such field`() async throws {
        let world = try TestWorld()
        _ = try await world.machine()
        #expect(world.transport.requests.allSatisfy { $0.fields["authorization"] == nil })
    }

    @Test func `one renewal serves all requests that were rejected`() async throws {
        let tokens = Tokens()
        let world = try TestWorld(credential: .renewing { tokens.next() })
        let machines = [try await world.machine(), try await world.machine()]
        await world.pass(.seconds(1))
        #expect(tokens.count == 1)
        // The first token expires: requests are rejected, and the stream ends.
        world.transport.accepted = "Bearer token-2"
        world.transport.openStreams.last?.inject("event: end\ndata: {\"reason\":\"unauthorized\"}\n\n")
        let sends = machines.map { machine in Task { try await machine.send(.add(1)) } }
        for send in sends { _ = try await world.finish { try await send.value } }
        await world.pass(.seconds(1))
        #expect(tokens.count == 2)
        for machine in machines {
            #expect(machine.outputs.values == [1])
            #expect(machine.status == .live)
        }
    }

    @Test func `a token is renewed before it expires, and shown to the server for each session`() async throws {
        let tokens = Tokens(validity: .seconds(300))
        let world = try TestWorld(credential: .renewing { tokens.next() })
        let machine = try await world.machine()
        await world.pass(.seconds(200))
        #expect(tokens.count == 1)
        await world.pass(.seconds(60))
        #expect(tokens.count == 2)
        let last = try #require(world.transport.requests.last)
        #expect(last.method == "HEAD")
        #expect(last.url.path == "/v1/sessions/\(machine.id)")
        #expect(last.fields["authorization"] == "Bearer token-2")
        #expect(world.transport.openStreams.count == 1)
    }

    @Test func `a client whose tokens are all rejected gives up`() async throws {
        let tokens = Tokens()
        let world = try TestWorld(credential: .renewing { tokens.next() })
        let machine = try await world.machine()
        await world.pass(.seconds(1))
        world.transport.accepted = "Bearer another"
        await #expect {
            try await world.finish { try await machine.send(.add(1)) }
        } throws: { error in
            if case GranaryError.unauthorized(let detail) = error { detail == "expired" } else { false }
        }
        world.transport.openStreams.last?.cut()
        await world.pass(.seconds(600))
        #expect(machine.status == .ended(.unauthorized))
        let (count, requests) = (tokens.count, world.transport.requests.count)
        #expect(count < 12)
        await world.pass(.seconds(900))
        #expect(tokens.count == count)
        #expect(world.transport.requests.count == requests)
        // The user has signed in again.
        world.transport.accepted = nil
        world.connection.reconnect()
        await world.pass(.seconds(1))
        #expect(machine.status == .live)
    }

    @Test func `a fixed credential that is rejected is an error at once`() async throws {
        let world = try TestWorld(credential: .fixed(.ticket("t")))
        world.transport.accepted = "Ticket other"
        await #expect {
            try await world.machine()
        } throws: { error in
            if case GranaryError.unauthorized = error { true } else { false }
        }
        #expect(world.transport.requests.count == 1)
    }

    @Test func `a renewal that fails is tried again, and a request does not wait for ever`() async throws {
        let tokens = Tokens()
        tokens.fails.store(true, ordering: .relaxed)
        let world = try TestWorld(credential: .renewing { try tokens.nextOrError() }) { $0.retry.maxAttempts = 3 }
        await #expect {
            try await world.machine()
        } throws: { error in
            if case GranaryError.unreachable = error { true } else { false }
        }
        #expect(tokens.count == 3)
        #expect(world.transport.requests.isEmpty)
        tokens.fails.store(false, ordering: .relaxed)
        _ = try await world.machine()
    }

    @Test func `a closure that never returns is given up`() async throws {
        let world = try TestWorld(
            credential: .renewing {
                try await Task.sleep(for: .seconds(100_000))
                return .bearer("late")
            }
        ) { $0.retry.maxAttempts = 2 }
        world.renewsCredential = false
        await #expect {
            try await world.finish { try await world.connection.machine(Tally.self) }
        } throws: { error in
            if case GranaryError.unreachable = error { true } else { false }
        }
        #expect(world.clock.now >= .seconds(120))
    }

    @Test func `a token that would add a field is never sent`() async throws {
        let world = try TestWorld(credential: .renewing { .bearer("a\r\nX-Evil: 1") }) { $0.retry.maxAttempts = 2 }
        await #expect(throws: GranaryError.self) { try await world.machine() }
        #expect(world.transport.requests.isEmpty)
    }
}

/// Tokens, one after another.
private final class Tokens: Sendable {
    let fails = Atomic(false)
    private let issued = Atomic(0)
    private let validity: Duration?

    init(validity: Duration? = nil) { self.validity = validity }

    var count: Int { issued.load(ordering: .relaxed) }

    func next() -> Credential {
        .bearer("token-\(issued.add(1, ordering: .relaxed).newValue)", validFor: validity)
    }

    func nextOrError() throws -> Credential {
        let credential = next()
        if fails.load(ordering: .relaxed) { throw CancellationError() }
        return credential
    }
}

import CombineCore
import Foundation
import HTTPModel
import MachineHost
import MachineTesting
import Testing

@testable import GranaryClient

@MainActor
struct GranaryConnectionTests {
    @Test func `several machines share one stream`() async throws {
        let world = try TestWorld()
        var machines: [RemoteMachine<Tally>] = []
        for _ in 1...5 { machines.append(try await world.machine()) }
        await world.pass(.seconds(1))
        #expect(world.transport.openStreams.count == 1)
        #expect(machines.allSatisfy { $0.status == .live })
        for (index, machine) in machines.enumerated() {
            _ = try await world.finish { try await machine.send(.add(index)) }
        }
        #expect(machines.map(\.outputs.values) == [[0], [1], [2], [3], [4]])
        machines[0].close()
        await world.pass(.seconds(1))
        #expect(world.transport.openStreams.count == 1)
        let last = try #require(world.transport.requests.last { $0.url.path == "/v1/outputs" })
        #expect(last.url.query?.split(separator: "&").count == 4)
        #expect(last.fields["last-event-id"]?.split(separator: "~").count == 4)
        #expect(last.fields["prefer"] == "status")
    }

    @Test func `a stream has at most 64 sessions`() async throws {
        let world = try TestWorld()
        var machines: [RemoteMachine<Tally>] = []
        for _ in 1...64 { machines.append(try await world.machine()) }
        await #expect(throws: GranaryError.tooManySessions(limit: 64)) { try await world.machine() }
        await world.pass(.seconds(1))
        #expect(machines.allSatisfy { $0.status == .live })
        machines.removeFirst()
        await world.pass(.milliseconds(1))
        machines.append(try await world.machine())
    }

    @Test func `a session that is known by its id is followed, and once`() async throws {
        let world = try TestWorld()
        let first = try await world.machine()
        let id = first.id
        let same = try await world.finish { try await world.connection.machine(Tally.self, id: id) }
        #expect(first === same)
        await #expect(throws: GranaryError.self) {
            try await world.finish { try await world.connection.machine(OtherTally.self, id: id) }
        }
        await #expect {
            try await world.finish { try await world.connection.machine(Tally.self, id: "../machines") }
        } throws: { error in
            if case GranaryError.refused(let problem) = error { problem.status == 404 } else { false }
        }
        #expect(world.transport.requests.last?.url.absoluteString.hasSuffix("/v1/sessions/..%2Fmachines") == true)
    }

    @Test func `a cut stream continues without losing or repeating a turn`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        await world.pass(.seconds(1))
        var events: [Tally.Events] = []
        let subscription = machine.events.sink { events.append($0) }
        for number in 1...5 {
            world.transport.openStreams.last?.cut()
            #expect(machine.status == .offline)
            _ = world.transport.harness.send(.post, "/v1/sessions/\(machine.id)/inputs/add", body: "\(number)")
            await world.pass(.seconds(20))
            #expect(machine.status == .live)
        }
        #expect(machine.outputs.values == [1, 2, 3, 4, 5])
        #expect(events == (1...5).map { .added($0) })
        subscription.cancel()
    }

    @Test(arguments: 0...200)
    func `a response may be cut after each byte`(count: Int) async throws {
        let world = try TestWorld(seed: UInt64(count))
        var seen: Set<String> = []
        // The first request of each kind.
        world.transport.fault = { request in
            seen.insert("\(request.method) \(request.url.path.split(separator: "/").count)").inserted
                ? .cut(after: count) : nil
        }
        let machine = try await world.machine()
        let change = try await world.finish { try await machine.send(.add(1)) }
        #expect(change.events == [.added(1)])
        await world.pass(.seconds(60))
        #expect(machine.status == .live)
        #expect(machine.outputs == Tally.Outputs(values: [1], total: 1))
        #expect(try world.outputs(of: machine.id) == machine.outputs)
        #expect(world.transport.harness.host.sessionCount == 1)
    }

    @Test func `the expiry of a session is an end, and with a policy a change to another session`() async throws {
        var host = HostConfiguration()
        host.idleExpiry = .seconds(60)
        let world = try TestWorld(host: host)
        let machine = try await world.machine(whenSessionEnds: .beginAnew)
        await world.pass(.seconds(1))
        _ = try await world.finish { try await machine.send(.add(1)) }
        let first = machine.id
        var kinds: [MachineChange<Tally>.Kind] = []
        let subscription = machine.changePublisher.sink { kinds.append($0.kind) }
        // While the client is offline, the session expires.
        world.transport.fault = { _ in .refused }
        world.transport.openStreams.last?.cut()
        await world.pass(.seconds(120))
        #expect(machine.status == .offline)
        #expect(machine.outputs.values == [1])
        world.transport.fault = { _ in nil }
        await world.pass(.seconds(60))
        #expect(machine.status == .live)
        #expect(machine.id != first)
        #expect(machine.outputs.values == [])
        #expect(kinds.first == .newSession(after: .expired) || kinds.first == .newSession(after: .unknown))
        _ = try await world.finish { try await machine.send(.add(2)) }
        #expect(machine.outputs.values == [2])
        subscription.cancel()
    }

    @Test func `a machine that begins anew follows a session beside another machine`() async throws {
        var host = HostConfiguration()
        host.idleExpiry = .seconds(60)
        let world = try TestWorld(host: host)
        let first = try await world.machine(whenSessionEnds: .beginAnew)
        await world.pass(.seconds(1))
        world.transport.fault = { _ in .refused }
        world.transport.openStreams.last?.cut()
        await world.pass(.seconds(120))
        // The response with the new session takes a while.
        world.transport.fault = { request in
            request.method == "POST" && request.url.path == "/v1/sessions" ? .slowResponse(.seconds(20)) : nil
        }
        var creation: ClientRequest?
        for _ in 0..<60 where creation == nil {
            await world.pass(.seconds(1))
            creation = world.transport.requests.dropFirst().last { $0.url.path == "/v1/sessions" }
        }
        let id = try world.sessionID(createdBy: try #require(creation))
        let second = try await world.finish { try await world.connection.machine(Tally.self, id: id) }
        _ = try await world.finish { try await second.send(.add(1)) }
        #expect(first.id != id)
        await world.pass(.seconds(30))
        #expect(first.id == id)
        #expect(first !== second)
        #expect(first.outputs.values == [1])
        _ = try await world.finish { try await first.send(.add(2)) }
        await world.pass(.seconds(1))
        for machine in [first, second] {
            #expect(machine.outputs.values == [1, 2])
            #expect(machine.status == .live)
        }
        first.close()
        _ = try await world.finish { try await second.send(.add(3)) }
        await world.pass(.seconds(1))
        #expect(first.status == .ended(.closed))
        #expect(second.status == .live)
        #expect(second.outputs.values == [1, 2, 3])
        #expect(first.outputs.values == [1, 2])
        #expect(world.transport.openStreams.count == 1)
        second.close()
        #expect(world.transport.openStreams.isEmpty)
    }

    @Test func `a proxy that does not find the server is no end`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        await world.pass(.seconds(1))
        world.transport.fault = { _ in .status(404, retryAfter: nil) }
        world.transport.openStreams.last?.cut()
        let send = Task { try await machine.send(.add(1)) }
        await world.pass(.seconds(10))
        #expect(machine.status == .offline)
        world.transport.fault = { _ in nil }
        #expect(try await world.finish { try await send.value }.outputs.values == [1])
        await world.pass(.seconds(30))
        #expect(machine.status == .live)
    }

    @Test func `a client gives up, and tries again when the program asks for it`() async throws {
        let world = try TestWorld { $0.retry.maxAttempts = 5 }
        let machine = try await world.machine()
        await world.pass(.seconds(1))
        world.transport.fault = { _ in .refused }
        world.transport.openStreams.last?.cut()
        await world.pass(.seconds(600))
        #expect(machine.status == .ended(.unreachable))
        let count = world.transport.requests.count
        await world.pass(.seconds(900))
        #expect(world.transport.requests.count == count)
        await #expect {
            try await world.finish { try await machine.send(.add(1)) }
        } throws: { error in
            if case GranaryError.unreachable = error { true } else { false }
        }
        world.transport.fault = { _ in nil }
        world.connection.reconnect()
        await world.pass(.seconds(1))
        #expect(machine.status == .live)
    }

    @Test func `the stream of a server that is silent is opened again`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        await world.pass(.seconds(1))
        let stream = try #require(world.transport.openStreams.last)
        // Comments keep a healthy stream open.
        await world.pass(.seconds(120))
        #expect(stream.isOpen)
        stream.mute()
        await world.pass(.seconds(60))
        #expect(!stream.isOpen)
        #expect(machine.status == .live)
    }

    @Test func `the path of the server precedes all paths, and its query and fragment are not sent`() throws {
        let url = try #require(URL(string: "https://host.test:8443/granary/?a=b#c"))
        let connection = GranaryConnection(to: url)
        let request = connection.request("GET", "/v1/outputs", query: "session=A")
        #expect(request.url.absoluteString == "https://host.test:8443/granary/v1/outputs?session=A")
        #expect(
            connection.request("POST", "/v1/sessions", body: []).fields
                == ["accept": "application/json", "content-type": "application/json"])
    }

    @Test func `keys have 192 random bits`() throws {
        let world = try TestWorld()
        let keys = (1...100).map { _ in world.connection.randomKey() }
        #expect(Set(keys).count == 100)
        #expect(keys.allSatisfy { $0.count == 32 })
    }

    @Test func `closing abandons everything, once`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        await world.pass(.seconds(1))
        world.transport.latency = { .seconds(5) }
        let sends = (1...3).map { number in Task { try await machine.send(.add(number)) } }
        await world.pass(.milliseconds(1))
        world.connection.close()
        world.connection.close()
        await #expect(throws: GranaryError.outcomeUnknown("closed")) {
            try await world.finish { try await sends[0].value }
        }
        for send in sends.dropFirst() {
            await #expect(throws: GranaryError.closed) { try await world.finish { try await send.value } }
        }
        #expect(machine.status == .ended(.closed))
        await #expect(throws: GranaryError.closed) { try await world.machine() }
    }
}

private enum OtherTally: MachineSchema {
    static let machineName = "tally"
    typealias Inputs = Tally.Inputs
    typealias Outputs = Tally.Outputs
}

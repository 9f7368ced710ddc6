import CombineCore
import Foundation
import Locking
import MachineHost
import Testing

@testable import GranaryClient

/// The client over real connections, with libcurl and the clock of the system.
@MainActor
@Suite struct LoopbackTests {
    private func serving(_ body: (LoopbackHost) async throws -> Void) async throws {
        let host = try LoopbackHost()
        do {
            try await body(host)
        } catch {
            await host.shutdown()
            throw error
        }
        await host.shutdown()
    }

    @Test func `inputs run, and their turns arrive on the stream`() async throws {
        try await serving { host in
            let machine = try await host.connection().machine(Tally.self)
            let changes = machine.changes
            #expect(await soon { machine.status == .live })
            for number in 1...20 { try await machine.send(.add(number)) }
            try await machine.send([.clear, .add(7), .note("größe \u{1F600}")])
            #expect(machine.outputs == Tally.Outputs(values: [7], total: 7, note: "größe \u{1F600}"))
            let other = try await host.connection().machine(Tally.self, id: machine.id)
            try await other.send(.add(8))
            #expect(await soon { machine.outputs.total == 15 })
            try await machine.delete()
            #expect(await soon { other.status == .ended(.deleted) })
            var events: [Tally.Events] = []
            for await change in changes where change.kind == .turn { events += change.events }
            #expect(events == ((1...20) + [7, 8]).map { .added($0) })
        }
    }

    @Test func `a killed connection is resumed without losing or repeating a turn`() async throws {
        try await serving { host in
            let connection = host.connection()
            let machine = try await connection.machine(Tally.self)
            #expect(await soon { machine.status == .live })
            var events: [Tally.Events] = []
            let subscription = machine.events.sink { events.append($0) }
            for number in 1...10 {
                let count = host.openings.count
                host.proxy.cut()
                try await machine.send(.add(number))
                // The client may not have noticed the cut, and believe that its stream is live.
                #expect(await soon { host.openings.count > count && machine.status == .live })
            }
            #expect(await soon { machine.outputs.values == Array(1...10) })
            #expect(events == (1...10).map { .added($0) })
            let openings = host.openings
            #expect(openings.count > 10)
            #expect(openings.dropFirst().allSatisfy { $0.contains(" after ") })
            subscription.cancel()
        }
    }

    @Test func `a server that is away for a while is found again`() async throws {
        try await serving { host in
            let machine = try await host.connection().machine(Tally.self)
            #expect(await soon { machine.status == .live })
            host.proxy.isOpen = false
            host.proxy.cut()
            #expect(await soon { machine.status == .offline })
            let send = Task { try await machine.send(.add(1)) }
            await Task.yield()
            host.proxy.isOpen = true
            #expect(try await send.value.outputs.values == [1])
            #expect(await soon { machine.status == .live })
        }
    }

    @Test func `a rejected token is renewed for requests and for the stream`() async throws {
        try await serving { host in
            let accepted = host.accepted
            accepted.withLock { $0 = "Bearer 1" }
            let connection = host.connection(
                credential: .renewing { .bearer(String(accepted.withLock { $0 ?? "" }.dropFirst(7))) })
            let machine = try await connection.machine(Tally.self)
            #expect(await soon { machine.status == .live })
            for number in 2...4 {
                accepted.withLock { $0 = "Bearer \(number)" }
                try await machine.send(.add(number))
                host.proxy.cut()
                #expect(await soon { machine.status == .live })
            }
            #expect(machine.outputs.values == [2, 3, 4])
        }
    }

    @Test func `a server that ends says so, and its sessions are unknown to the next one`() async throws {
        let host = try LoopbackHost()
        let machine = try await host.connection().machine(Tally.self)
        #expect(await soon { machine.status == .live })
        await host.shutdown()
        #expect(await soon { machine.status == .offline || machine.status == .connecting })
        machine.close()
    }

    @Test func `a machine that is released closes its stream`() async throws {
        try await serving { host in
            var machine: RemoteMachine<Tally>? = try await host.connection().machine(Tally.self)
            #expect(await soon { machine?.status == .live })
            #expect(host.host.streamCount == 1)
            machine = nil
            #expect(await soon { host.host.streamCount == 0 })
        }
    }
}

import CombineCore
import HTTPModel
import Locking
import MachineTesting
import StateCapture
import Testing

@testable import MachineHost

extension MachineDefinition {
    /// A machine that counts the shots of a timer, and keeps their order.
    static var ticking: MachineDefinition { timing { context in [context.timer("tick", every: .seconds(1))] } }

    /// A machine with timers that are wired.
    static func timing(
        _ timers: @escaping @Sendable (SessionContext) -> [AnyPublisher<Void, Never>]
    ) -> MachineDefinition {
        searching { search in
            for (index, timer) in timers(search.machine.context).enumerated() {
                let machine = search.machine
                search.cancellables.append(
                    timer.sink {
                        let before = machine.value(of: "answer")?.dropFirst().dropLast() ?? ""
                        machine.set("answer", to: "\"\(before)\(index)\"")
                    })
            }
        }
    }
}

/// Timers across processes.
struct DeclaredTimerTests {
    @Test func `a repeating timer continues on its grid`() throws {
        let host = try StoredHost(of: .ticking)
        let session = host.makeSession()
        host.harness.loop.advance(by: .milliseconds(2500))
        host.store()
        #expect(host.send(.get, session).text.contains(#""version":2"#))
        let next = try StoredHost(on: host.disk, after: 10, of: .ticking)
        _ = next.send(.get, session)
        // It became due once, however often it was missed. It is due again after 11 seconds.
        #expect(next.send(.get, session).text.contains(#""version":3"#))
        next.harness.loop.advance(by: .milliseconds(900))
        next.store()
        #expect(next.send(.get, session).text.contains(#""version":3"#))
        next.harness.loop.advance(by: .milliseconds(200))
        next.store()
        #expect(next.send(.get, session).text.contains(#""version":4,"durability":"disk","outputs":{"answer":"0000"}"#))
    }

    @Test func `a timer that has fired does not fire again`() throws {
        let definition = MachineDefinition.timing { [$0.timer("once", after: .seconds(1))] }
        let host = try StoredHost(of: definition)
        let session = host.makeSession()
        host.advance(by: 2)
        let next = try StoredHost(on: host.disk, after: 60, of: definition)
        _ = next.send(.get, session)
        next.advance(by: 2)
        #expect(next.send(.get, session).text.contains(#""version":1,"durability":"disk","outputs":{"answer":"0"}"#))
    }

    @Test func `timers that became due fire in the order of their times`() throws {
        let definition = MachineDefinition.timing { context in
            [
                context.timer("late", after: .seconds(30)), context.timer("early", after: .seconds(10)),
                context.timer("later", after: .seconds(90)), context.timer("between", after: .seconds(20)),
            ]
        }
        let host = try StoredHost(of: definition)
        let session = host.makeSession()
        let next = try StoredHost(on: host.disk, after: 60, of: definition)
        _ = next.send(.get, session)
        #expect(next.send(.get, session).text.contains(#""answer":"130""#))
        next.advance(by: 29)
        #expect(next.send(.get, session).text.contains(#""answer":"130""#))
        next.advance(by: 2)
        #expect(next.send(.get, session).text.contains(#""answer":"1302""#))
    }

    @Test func `a stored wake time is not later than the timer`() throws {
        let host = try StoredHost(of: .ticking)
        let session = host.makeSession()
        let stored = { host.disk.entries.first.flatMap { $0.rows.last.map(\.wakesAt) ?? $0.snapshot?.summary.wakesAt } }
        #expect(stored() == 1_767_225_601_000)
        host.harness.loop.advance(by: .milliseconds(1500))
        host.store()
        host.session.map { host.harness.shard.renewSnapshot(of: $0) }
        host.store()
        #expect(stored() == 1_767_225_602_000)
        _ = host.send(.post, session + "/inputs/cancel")
        host.session.map { host.harness.shard.renewSnapshot(of: $0) }
        host.store()
        #expect(stored() == nil)
    }

    @Test func `a cancelled timer is not restored`() throws {
        let host = try StoredHost(of: .ticking)
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/cancel")
        let next = try StoredHost(on: host.disk, of: .ticking)
        _ = next.send(.get, session)
        next.advance(by: 3)
        #expect(next.send(.get, session).text.contains(#""version":0"#))
    }

    @Test func `a timer that no pipeline continues is interrupted`() throws {
        let host = try StoredHost(of: .ticking)
        let session = host.makeSession()
        let next = try StoredHost(on: host.disk, of: .searching { _ in })
        _ = next.send(.get, session)
        #expect(next.send(.get, session).text.contains(#""interrupted":"tick""#))
    }

    @Test func `a session shows its timers`() throws {
        let host = try StoredHost(of: .ticking)
        let session = host.makeSession()
        let expected = #","inProgress":[{"timer":"tick","due":"2026-01-01T00:00:01Z"}]}"#
        #expect(host.send(.get, session).text.hasSuffix(expected))
    }
}

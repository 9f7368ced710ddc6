import CombineCore
import HTTPModel
import Locking
import MachineTesting
import StateCapture
import Testing

@testable import MachineHost

/// Effects in one process.
struct EffectTests {
    private let service = FakeService()

    @Test func `an effect starts when its turn is stored`() throws {
        let host = try StoredHost(of: .askingLatest(service))
        let session = host.makeSession()
        _ = host.start(.post, session + "/inputs/ask", body: "1")
        #expect(service.questions.isEmpty)
        host.store()
        #expect(service.questions == ["1"])
    }

    @Test func `an effect of the wiring starts when the session is stored`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        _ = host.start(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#)
        #expect(service.questions.isEmpty)
        host.store()
        #expect(service.questions == ["swift"])
    }

    @Test func `an effect may start before its turn is stored`() throws {
        let host = try StoredHost(of: .askingLatest(service, startsBeforeCommit: true))
        let session = host.makeSession()
        _ = host.start(.post, session + "/inputs/ask", body: "1")
        #expect(service.questions == ["1"])
    }

    @Test func `an answer is a turn that records it`() throws {
        let host = try StoredHost(of: .askingLatest(service))
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        service.answer(0, "one")
        host.harness.loop.run()
        host.store()
        #expect(host.send(.get, session + "/outputs").text.contains(#""answer":"one""#))
        let key = try #require(service.keys.first ?? nil)
        let events = host.events
        #expect(events.count == 2)
        guard case .started(let started) = events[0] else { return #expect(Bool(false), "\(events)") }
        #expect(started.name == "search")
        #expect(started.work == .answer(question: Array("\"1\"".utf8)[...], key: key))
        #expect(events[1] == .ended(id: started.id, .answer(Array("\"one\"".utf8)[...])))
    }

    @Test func `a failure reaches the pipeline and is recorded without its description`() throws {
        let host = try StoredHost(of: .askingLatest(service))
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        service.fail(0)
        host.harness.loop.run()
        host.store()
        #expect(host.send(.get, session + "/outputs").text.contains(#""failure":"Unavailable()""#))
        let type = "\"MachineHostTests.FakeService.Unavailable\""
        #expect(host.events.last == .ended(id: 1, .failure(Array(type.utf8)[...])))
    }

    @Test func `a newer question cancels the older one, and that is recorded`() throws {
        let host = try StoredHost(of: .askingLatest(service))
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        _ = host.send(.post, session + "/inputs/ask", body: "2")
        #expect(service.questions == ["1", "2"])
        #expect(service.cancelled == [true, false])
        #expect(host.events.contains(.ended(id: 1, .cancelled)))
        service.answer(0, "one")
        service.answer(1, "two")
        host.harness.loop.run()
        host.store()
        #expect(host.send(.get, session).text.contains(#""version":1,"durability":"disk","outputs":{"answer":"two"}"#))
    }

    @Test func `an effect that is cancelled before its turn is stored never starts`() throws {
        let host = try StoredHost(of: .askingLatest(service))
        let session = host.makeSession()
        _ = host.start(.post, session + "/inputs/ask", body: "1")
        _ = host.start(.post, session + "/inputs/ask", body: "2")
        host.store()
        #expect(service.questions == ["2"])
    }

    @Test func `a subscriber may cancel outside of a turn`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        let session = host.makeSession()
        let live = try #require(host.session)
        guard case .live(let machine as ScriptedMachine, _) = live.state else { return #expect(Bool(false)) }
        (machine.attachment as? Search)?.cancellables = []
        #expect(service.cancelled == [true])
        host.harness.loop.run()
        host.store()
        #expect(host.events == [.ended(id: 1, .cancelled)])
        #expect(host.send(.get, session).text.contains("inProgress") == false)
    }

    @Test func `an effect may answer synchronously`() throws {
        let definition = MachineDefinition.searching { search in
            let ask: (String) -> AnyPublisher<String, any Error> = search.machine.context.effect("search") {
                (question: String) in Just(question + "!").setFailureType(to: (any Error).self)
            }
            search.show(search.questions.setFailureType(to: (any Error).self).flatMap(ask))
        }
        let host = try StoredHost(of: definition)
        let session = host.makeSession()
        #expect(host.send(.post, session + "/inputs/ask", body: "1").text == #"{"version":0,"changes":{}}"#)
        #expect(host.send(.get, session).text.contains(#""version":1,"durability":"disk","outputs":{"answer":"1!"}"#))
    }

    @Test func `an effect may end without an answer, and only its first value is the answer`() throws {
        let definition = MachineDefinition.searching { search in
            let ask: (String) -> AnyPublisher<String, any Error> = search.machine.context.effect("search") {
                (question: String) in
                (question == "1" ? [] : ["a", "b"]).publisher.setFailureType(to: (any Error).self)
            }
            search.show(search.questions.setFailureType(to: (any Error).self).flatMap(ask))
        }
        let host = try StoredHost(of: definition)
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        _ = host.send(.post, session + "/inputs/ask", body: "2")
        #expect(host.events.contains(.ended(id: 1, .finished)))
        #expect(host.send(.get, session).text.contains(#""version":1,"durability":"disk","outputs":{"answer":"a"}"#))
    }

    @Test func `a deleted session cancels its effects and drops their answers`() throws {
        let host = try StoredHost(of: .askingLatest(service))
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        _ = host.start(.post, session + "/inputs/ask", body: "2")
        _ = host.send(.delete, session)
        #expect(service.cancelled == [true])
        service.answer(0, "one")
        host.harness.loop.run()
        host.store()
        #expect(host.send(.get, session).status == 410)
    }

    @Test func `two effects with one name cannot be told apart`() throws {
        let definition = MachineDefinition.searching { [service] search in
            for _ in 0..<2 {
                let _: (String) -> AnyPublisher<String, any Error> = search.machine.context.effect(
                    "search", service.ask)
            }
        }
        let host = try StoredHost(of: definition)
        #expect(host.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#).status == 500)
        _ = SessionContext.inspecting(transient: []) { context in
            _ = context.timer("tick", every: .seconds(1))
            _ = context.timer("tick", after: .seconds(1))
            #expect(context.effects.duplicateName == "tick")
        }
    }

    @Test func `a question that cannot be stored ends its session only`() throws {
        let definition = MachineDefinition.searching { search in
            let ask: (Unencodable) -> AnyPublisher<String, any Error> = search.machine.context.effect("search") {
                (_: Unencodable) in Just("never").setFailureType(to: (any Error).self)
            }
            search.show(
                search.questions.setFailureType(to: (any Error).self).flatMap { ask(Unencodable(text: $0)) })
        }
        let host = try StoredHost(of: definition)
        let (session, other) = (host.makeSession(), host.makeSession())
        // Its change is not stored, so it is not acknowledged.
        let response = host.send(.post, session + "/inputs/ask", body: "1")
        #expect(response.status == 500)
        #expect(response.text.contains(#""incident""#))
        #expect(host.send(.get, session).status == 410)
        #expect(host.send(.get, other).status == 200)
    }

    @Test func `an inspected machine asks nothing`() {
        let (_, registry) = SessionContext.inspecting(transient: []) { [service] context in
            let ask: (String) -> AnyPublisher<String, any Error> = context.effect("search", service.ask)
            let waiting = ask("swift").sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            let ticks = context.timer("tick", every: .seconds(1)).sink {}
            waiting.cancel()
            ticks.cancel()
        }
        #expect(service.questions.isEmpty)
        #expect(registry.obstacles.isEmpty)
    }

    @Test func `a session shows what it waits for`() throws {
        let host = try StoredHost(of: .askingLatest(service))
        let session = host.makeSession()
        #expect(!host.send(.get, session).text.contains("inProgress"))
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        let expected = #","inProgress":[{"effect":"search","since":"2026-01-01T00:00:00Z"}]}"#
        #expect(host.send(.get, session).text.hasSuffix(expected))
    }
}

/// Effects of sessions that end with their process.
struct MemoryEffectTests {
    private let service = FakeService()

    @Test func `an effect starts at once and is answered in a turn`() throws {
        let harness = try HostHarness([.askingLatest(service)])
        let session = harness.makeSession()
        harness.input(session, "ask", "1")
        #expect(service.questions == ["1"])
        #expect(service.attempts == [1])
        #expect((service.keys.first ?? nil)?.count == 32)
        harness.input(session, "ask", "2")
        #expect(service.cancelled == [true, false])
        service.answer(1, "two")
        harness.loop.run()
        let text = harness.send(.get, session).text
        #expect(text.contains(#""version":1,"durability":"memory","outputs":{"answer":"two"}"#))
        #expect(!text.contains("inProgress"))
    }

    @Test func `timers fire on their grid`() throws {
        let harness = try HostHarness([.ticking])
        let session = harness.makeSession()
        harness.loop.advance(by: .milliseconds(3500))
        #expect(harness.send(.get, session).text.contains(#""version":3"#))
    }

    @Test func `nothing is collected for a journal`() throws {
        let harness = try HostHarness([.askingLatest(service)])
        let session = harness.makeSession()
        harness.input(session, "ask", "1")
        let live = try #require(harness.shard.sessions.values.first)
        #expect(try live.context.effects.takeEvents().isEmpty)
        #expect(!live.context.effects.hasUnrecorded)
    }
}

private struct Unencodable: Codable {
    let text: String

    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(text, .init(codingPath: [], debugDescription: "never"))
    }
}

extension StoredHost {
    /// The only live session.
    var session: Session? { harness.shard.sessions.values.first }

    /// The events in the rows of all sessions.
    var events: [EffectEvent] {
        disk.entries.flatMap(\.rows).flatMap { (try? TurnRecord($0.content[...]))?.effects ?? [] }
    }
}

import CombineCore
import HTTPModel
import Locking
import MachineTesting
import StateCapture
import Testing

@testable import MachineHost

/// Effects across processes.
struct EffectRestoringTests {
    private let service = FakeService()

    @Test func `an unanswered effect is asked again, and its pipeline gets the answer`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        let session = host.makeSession()
        let next = try StoredHost(on: host.disk, after: 5, of: .askingOnce(service))
        let loaded = next.start(.get, session)
        next.store()
        #expect(loaded.text.contains(#""inProgress":[{"effect":"search","since":"2026-01-01T00:00:00Z"}]"#))
        #expect(service.questions == ["swift", "swift"])
        #expect(service.attempts == [1, 2])
        #expect(Set(service.keys).count == 1)
        service.answer(1, "found")
        next.harness.loop.run()
        next.store()
        #expect(
            next.send(.get, session).text.contains(#""version":1,"durability":"disk","outputs":{"answer":"found"}"#))
        #expect(next.events.last == .ended(id: 1, .answer(Array("\"found\"".utf8)[...])))
    }

    @Test func `an effect is asked again only when that is stored`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        let session = host.makeSession()
        let next = try StoredHost(on: host.disk, of: .askingOnce(service))
        _ = next.start(.get, session)
        #expect(service.questions.count == 1)
        next.store()
        #expect(service.questions.count == 2)
        let third = try StoredHost(on: host.disk, of: .askingOnce(service))
        _ = third.send(.get, session)
        #expect(service.attempts == [1, 2, 3])
        #expect(Set(service.keys).count == 1)
    }

    @Test func `an effect fails after a crash if it says so`() throws {
        let definition = MachineDefinition.askingOnce(service, onCrash: .fail)
        let host = try StoredHost(of: definition)
        let session = host.makeSession()
        let next = try StoredHost(on: host.disk, of: definition)
        _ = next.send(.get, session)
        let text = next.send(.get, session).text
        #expect(text.contains(#""failure":"the process ended before the effect was answered""#))
        #expect(text.contains(#""interrupted":"search""#))
        #expect(!text.contains("inProgress"))
        #expect(service.questions.count == 1)
        let third = try StoredHost(on: host.disk, of: definition)
        #expect(third.send(.get, session).text == text)
    }

    @Test func `an answered effect is not asked again`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        let session = host.makeSession()
        service.answer(0, "found")
        host.harness.loop.run()
        host.store()
        let before = host.send(.get, session).text
        let next = try StoredHost(on: host.disk, of: .askingOnce(service))
        #expect(next.send(.get, session).text == before)
        #expect(service.questions.count == 1)
        #expect(before.contains(#""answer":"found""#))
    }

    @Test func `an answer that was not stored is asked for again`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        let session = host.makeSession()
        service.answer(0, "found")
        host.harness.loop.run()
        let next = try StoredHost(on: host.disk, of: .askingOnce(service))
        #expect(next.send(.get, session).text.contains(#""version":0"#))
        #expect(service.questions.count == 2)
    }

    @Test func `an effect whose turn was lost was never asked`() throws {
        let host = try StoredHost(of: .askingLatest(service))
        let session = host.makeSession()
        _ = host.start(.post, session + "/inputs/ask", body: "1")
        let next = try StoredHost(on: host.disk, of: .askingLatest(service))
        #expect(!next.send(.get, session).text.contains("inProgress"))
        #expect(service.questions.isEmpty)
    }

    @Test func `the answer of an older lease is dropped`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        let session = host.makeSession()
        host.harness.shard.forget(try #require(host.session))
        _ = host.send(.get, session)
        #expect(service.attempts == [1, 2])
        service.answer(0, "old")
        host.harness.loop.run()
        host.store()
        #expect(host.send(.get, session).text.contains(#""version":0"#))
        service.answer(1, "new")
        host.harness.loop.run()
        host.store()
        #expect(host.send(.get, session).text.contains(#""version":1,"durability":"disk","outputs":{"answer":"new"}"#))
    }

    @Test func `an effect that nobody asks again is interrupted`() throws {
        let host = try StoredHost(of: .askingLatest(service))
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        // The next build has a pipeline that asks nothing.
        let definition = MachineDefinition.searching { _ in }
        let next = try StoredHost(on: host.disk, of: definition)
        _ = next.send(.get, session)
        #expect(next.send(.get, session).text.contains(#""interrupted":"search""#))
        #expect(next.events.last == .ended(id: 1, .interrupted))
    }

    @Test func `an effect that subscribes to nothing restored asks anew`() throws {
        let host = try StoredHost(of: .askingLatest(service))
        let session = host.makeSession()
        let next = try StoredHost(on: host.disk, of: .askingLatest(service))
        _ = next.send(.post, session + "/inputs/ask", body: "1")
        #expect(service.questions == ["1"])
        #expect(service.attempts == [1])
    }

    @Test func `an effect is in the snapshot that replaces its row`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        let session = host.makeSession()
        for number in 0..<700 { _ = host.start(.post, session + "/inputs/ask", body: "\(number)") }
        host.session.map { host.harness.shard.renewSnapshot(of: $0) }
        host.store()
        let next = try StoredHost(on: host.disk, of: .askingOnce(service))
        _ = next.send(.get, session)
        #expect(service.attempts == [1, 2])
    }

    @Test func `questions are compared by value where their JSON is not stable`() throws {
        let definition = MachineDefinition.searching { [service] search in
            let ask: (Words) -> AnyPublisher<String, any Error> = search.machine.context.effect("search") {
                (_: Words) in service.ask("words")
            }
            search.show(ask(Words(words: ["a", "b"])))
        }
        let host = try StoredHost(of: definition)
        let session = host.makeSession()
        Words.isReversed.withLock { $0.toggle() }
        let next = try StoredHost(on: host.disk, of: definition)
        _ = next.send(.get, session)
        #expect(service.attempts == [1, 2])
    }

    @Test func `a session that ended has no effects in the next process`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        let session = host.makeSession()
        _ = host.send(.delete, session)
        let next = try StoredHost(on: host.disk, of: .askingOnce(service))
        #expect(next.send(.get, session).status == 410)
        #expect(service.questions.count == 1)
    }
}

/// A question whose JSON depends on the process.
private struct Words: Codable, Equatable {
    static let isReversed = Lock(false)
    let words: Set<String>

    init(words: Set<String>) {
        self.words = words
    }

    init(from decoder: any Decoder) throws {
        words = Set(try decoder.singleValueContainer().decode([String].self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let sorted = words.sorted()
        try container.encode(Words.isReversed.withLock { $0 } ? sorted.reversed() : sorted)
    }
}

import CombineCore
import HTTPModel
import MachineTesting
import StateCapture
import Testing

@testable import MachineHost

/// Effects that asynchronous functions perform, in one process.
struct AsyncEffectTests {
    private let service = AsyncService()

    @Test func `an asynchronous effect starts when its turn is stored, and its answer is recorded`() throws {
        let host = try StoredHost(of: .askingLatest(service))
        let session = host.makeSession()
        _ = host.start(.post, session + "/inputs/ask", body: "1")
        #expect(service.questions.isEmpty)
        host.settle()
        #expect(service.questions == ["1"])
        #expect(service.attempts == [1])
        service.answer(0, "one")
        host.settle()
        #expect(host.send(.get, session).text.contains(#""version":1,"durability":"disk","outputs":{"answer":"one"}"#))
        #expect(host.events.last == .ended(id: 1, .answer(Array("\"one\"".utf8)[...])))
    }

    @Test func `an asynchronous effect may start before its turn is stored`() throws {
        let host = try StoredHost(of: .askingLatest(service, startsBeforeCommit: true))
        let session = host.makeSession()
        _ = host.start(.post, session + "/inputs/ask", body: "1")
        #expect(service.questions == ["1"])
        #expect(host.events.isEmpty)
    }

    @Test func `an error of an asynchronous function reaches the pipeline`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        let session = host.makeSession()
        host.settle()
        service.fail(0)
        host.settle()
        #expect(host.send(.get, session).text.contains(#""failure":"Unavailable()""#))
    }

    @Test func `a newer question cancels the task of the older one`() throws {
        let host = try StoredHost(of: .askingLatest(service))
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        host.settle()
        _ = host.send(.post, session + "/inputs/ask", body: "2")
        host.settle()
        #expect(service.cancelled == [true, false])
        #expect(host.events.contains(.ended(id: 1, .cancelled)))
        service.answer(1, "two")
        host.settle()
        let text = host.send(.get, session).text
        #expect(text.contains(#""outputs":{"answer":"two"}"#))
        #expect(!text.contains("inProgress"))
    }

    @Test func `the end of a session cancels the task`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        let session = host.makeSession()
        host.settle()
        _ = host.send(.delete, session)
        host.settle()
        #expect(service.cancelled == [true])
    }

    @Test func `the tasks that an asynchronous function starts see the call`() throws {
        let definition = MachineDefinition.searching { [service] search in
            let ask: (String) -> AnyPublisher<String, any Error> = search.machine.context.effect("search") {
                (question: String) async throws -> String in
                async let first = service.ask(question + "a")
                async let second = service.ask(question + "b")
                return try await first + second
            }
            search.show(ask("1"))
        }
        let host = try StoredHost(of: definition)
        let session = host.makeSession()
        host.settle()
        #expect(service.questions.sorted() == ["1a", "1b"])
        #expect(Set(service.keys).count == 1)
        service.answer(0, "x")
        service.answer(1, "x")
        host.settle()
        #expect(host.send(.get, session).text.contains(#""answer":"xx""#))
    }

    @Test func `the first element of an asynchronous sequence is the answer`() throws {
        let definition = MachineDefinition.searching { search in
            let ask: (String) -> AnyPublisher<String, any Error> = search.machine.context.effect("search") {
                (question: String) in
                AsyncStream<String> { continuation in
                    if question != "0" { for word in ["first", "second"] { continuation.yield(word) } }
                    continuation.finish()
                }
            }
            search.show(search.questions.setFailureType(to: (any Error).self).flatMap(ask))
        }
        let host = try StoredHost(of: definition)
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "0")
        host.settle()
        #expect(host.events.last == .ended(id: 1, .finished))
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        host.settle()
        #expect(host.events.last == .ended(id: 2, .answer(Array("\"first\"".utf8)[...])))
        #expect(host.send(.get, session).text.contains(#""answer":"first""#))
    }

    @Test func `a task awaits an answer`() throws {
        let host = try StoredHost(of: .awaiting(service))
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        host.settle()
        #expect(service.questions == ["1"])
        service.answer(0, "one")
        host.settle()
        #expect(host.send(.get, session).text.contains(#""answer":"one""#))
        #expect(host.events.last == .ended(id: 1, .answer(Array("\"one\"".utf8)[...])))
    }

    @Test func `the cancellation of a task that awaits an answer cancels the effect`() throws {
        let host = try StoredHost(of: .awaiting(service))
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        host.settle()
        _ = host.send(.post, session + "/inputs/cancel")
        host.settle()
        #expect(service.cancelled == [true])
        #expect(host.events.last == .ended(id: 1, .cancelled))
    }

    @Test func `a task awaits the shots of a timer`() throws {
        let host = try StoredHost(of: .awaitingShots)
        let session = host.makeSession()
        host.settle()
        host.advance(by: 3)
        #expect(host.send(.get, session).text.contains(#""answer":"3""#))
    }
}

/// Effects that asynchronous functions perform, across processes.
struct AsyncEffectRestoringTests {
    private let service = AsyncService()

    @Test func `an asynchronous effect that was answered is not asked again`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        let session = host.makeSession()
        host.settle()
        service.answer(0, "found")
        host.settle()
        let before = host.send(.get, session).text
        #expect(before.contains(#""answer":"found""#))
        let next = try StoredHost(on: host.disk, of: .askingOnce(service))
        #expect(next.send(.get, session).text == before)
        next.settle()
        #expect(service.questions.count == 1)
    }

    @Test func `an asynchronous effect without an answer is asked again with its key and a new lease`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        let session = host.makeSession()
        host.settle()
        let next = try StoredHost(on: host.disk, of: .askingOnce(service))
        _ = next.send(.get, session)
        next.settle()
        #expect(service.questions == ["swift", "swift"])
        #expect(service.attempts == [1, 2])
        #expect(Set(service.keys).count == 1)
        service.answer(1, "found")
        next.settle()
        #expect(next.send(.get, session).text.contains(#""answer":"found""#))
    }

    @Test func `the answer of a task of an older lease is dropped`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        let session = host.makeSession()
        host.settle()
        host.harness.shard.forget(try #require(host.session))
        _ = host.send(.get, session)
        host.settle()
        #expect(service.attempts == [1, 2])
        service.answer(0, "old")
        host.settle()
        #expect(host.send(.get, session).text.contains(#""version":0"#))
        service.answer(1, "new")
        host.settle()
        #expect(host.send(.get, session).text.contains(#""version":1,"durability":"disk","outputs":{"answer":"new"}"#))
    }

    @Test func `an asynchronous effect fails after a crash if it says so`() throws {
        let definition = MachineDefinition.askingOnce(service, onCrash: .fail)
        let host = try StoredHost(of: definition)
        let session = host.makeSession()
        host.settle()
        let next = try StoredHost(on: host.disk, of: definition)
        _ = next.send(.get, session)
        next.settle()
        let text = next.send(.get, session).text
        #expect(text.contains(#""failure":"the process ended before the effect was answered""#))
        #expect(text.contains(#""interrupted":"search""#))
        #expect(service.questions.count == 1)
    }

    @Test func `an effect that a task awaited is interrupted, because nobody awaits it any more`() throws {
        let host = try StoredHost(of: .awaiting(service))
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        host.settle()
        let next = try StoredHost(on: host.disk, of: .awaiting(service))
        _ = next.send(.get, session)
        next.settle()
        #expect(next.send(.get, session).text.contains(#""interrupted":"search""#))
        #expect(next.events.last == .ended(id: 1, .interrupted))
        #expect(service.questions.count == 1)
    }
}

extension StoredHost {
    /// Runs the tasks of the sessions, and stores what they changed.
    func settle() {
        harness.loop.run()
        store()
        harness.loop.run()
        store()
    }
}

import CombineCore
import Glibc
import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// Effects that asynchronous functions perform.
struct AsyncEffectTests {
    /// Runs the loop until a condition holds. Tasks run on threads of their own, so no call could wait for them.
    private static func run(_ harness: HostHarness, until isDone: () -> Bool) {
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(30)
        while !isDone(), clock.now < deadline {
            harness.loop.run()
            sched_yield()
        }
    }

    @Test func `an asynchronous function answers with the key of its call`() throws {
        let definition = MachineDefinition.searching { search in
            let ask: (String) -> AnyPublisher<String, any Error> = search.machine.context.effect("search") {
                (question: String) async throws -> String in
                await Task.yield()
                return "\(question) \(EffectCall.current?.name ?? "") \(EffectCall.current?.idempotencyKey.count ?? 0)"
            }
            search.show(search.questions.setFailureType(to: (any Error).self).flatMap(ask))
        }
        let harness = try HostHarness([definition])
        let session = harness.makeSession()
        harness.input(session, "ask", "1")
        AsyncEffectTests.run(harness) { harness.send(.get, session).text.contains(#""answer":"1 search 32""#) }
        #expect(harness.send(.get, session).text.contains(#""answer":"1 search 32""#))
    }

    @Test func `an asynchronous function is cancelled with its subscription`() throws {
        let isCancelled = Lock(false)
        let definition = MachineDefinition.searching { search in
            let ask: (String) -> AnyPublisher<String, any Error> = search.machine.context.effect("search") {
                (question: String) async throws -> String in
                while !Task.isCancelled { await Task.yield() }
                isCancelled.withLock { $0 = true }
                return question
            }
            search.show(search.questions.setFailureType(to: (any Error).self).flatMap(ask))
        }
        let harness = try HostHarness([definition])
        let session = harness.makeSession()
        harness.input(session, "ask", "1")
        harness.input(session, "cancel")
        AsyncEffectTests.run(harness) { isCancelled.withLock { $0 } }
        #expect(isCancelled.withLock { $0 })
        #expect(harness.send(.get, session).text.contains(#""version":0"#))
    }

    @Test func `a task awaits an effect, which is part of the session`() throws {
        let answers = Lock<[String]>([])
        let definition = MachineDefinition.searching { search in
            let answer: @Sendable (String) async throws -> String = search.machine.context.effect("search") {
                (question: String) async throws -> String in question + "!"
            }
            search.cancellables.append(
                search.questions.sink { question in
                    Task {
                        let found = try await answer(question)
                        answers.withLock { $0.append(found) }
                    }
                })
        }
        let harness = try HostHarness([definition])
        let session = harness.makeSession()
        harness.input(session, "ask", "1")
        AsyncEffectTests.run(harness) { answers.withLock { !$0.isEmpty } }
        #expect(answers.withLock { $0 } == ["1!"])
    }
}

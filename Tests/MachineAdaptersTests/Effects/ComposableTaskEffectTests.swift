import CombineCore
import ComposableAdapter
import ComposableArchitecture
import HTTPModel
import Locking
import MachineAdapters
import MachineHost
import MachineTesting
import Testing

/// Effects of stores that are performed by asynchronous functions, or awaited in tasks.
struct ComposableTaskEffectTests {
    struct Search: ReducerProtocol {
        struct State: Codable, Equatable {
            var answer = ""
            var interrupted = ""
        }

        enum Action: Equatable {
            case ask(String)
            case run(String)
            case cancel
            case answered(String)
            case interrupted(String)
        }

        let search: (String) -> EffectTask<Action>
        let load: @Sendable (String) async throws -> String

        func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
            switch action {
            case .ask(let question): return search(question)
            case .run(let question):
                return .run { [load] send in
                    await send(.answered(try await load(question)))
                } catch: { _, send in
                    await send(.answered("failed"))
                }
                .cancellable(id: "run")
            case .cancel: return .cancel(id: "run")
            case .answered(let answer): state.answer = answer
            case .interrupted(let names): state.interrupted = names
            }
            return .none
        }
    }

    /// The questions, with the continuations of their answers.
    private let calls = Lock<[(question: String, continuation: UnsafeContinuation<String, any Error>?)]>([])
    private let cancelled = Lock(0)

    private func ask(_ question: String) async throws -> String {
        let index = calls.withLock { calls in
            calls.append((question, nil))
            return calls.count - 1
        }
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                calls.withLock { $0[index].continuation = continuation }
            }
        } onCancel: {
            cancelled.withLock { $0 += 1 }
            take(index)?.resume(throwing: CancellationError())
        }
    }

    private func take(_ index: Int) -> UnsafeContinuation<String, any Error>? {
        calls.withLock { calls in
            defer { calls[index].continuation = nil }
            return calls[index].continuation
        }
    }

    private var questions: [String] { calls.withLock { $0.map(\.question) } }

    private func host() throws -> RestartableHost {
        let transfer = UnsafeTransfer(self)
        return try RestartableHost([
            .composable(
                "search", summary: "A search.",
                resumed: { .interrupted($0.map(\.name).joined(separator: " ")) }
            ) { context in
                let ask: @Sendable (String) async throws -> String = { try await transfer.value.ask($0) }
                let search = context.effect("search", ask) { _, answer -> Search.Action in
                    .answered((try? answer.get()) ?? "failed")
                }
                return Store(
                    initialState: Search.State(),
                    reducer: Search(search: search, load: context.effect("await", ask)))
            }
        ])
    }

    @Test func `an asynchronous effect of a store is asked again, and its answer becomes an action`() throws {
        let host = try host()
        let session = host.harness.makeSession(of: "search")
        _ = host.send(.post, session + "/inputs/ask", body: "\"1\"")
        host.harness.loop.run()
        #expect(questions == ["1"])
        try host.restart()
        _ = host.send(.get, session)
        host.harness.loop.run()
        #expect(questions == ["1", "1"])
        take(1)?.resume(returning: "one")
        host.harness.loop.run()
        #expect(host.send(.get, session).text.contains(#""answer":"one""#))
    }

    @Test func `a task of a store awaits an answer`() throws {
        let host = try host()
        let session = host.harness.makeSession(of: "search")
        _ = host.send(.post, session + "/inputs/run", body: "\"1\"")
        host.harness.loop.run()
        #expect(questions == ["1"])
        take(0)?.resume(returning: "one")
        host.harness.loop.run()
        #expect(host.send(.get, session).text.contains(#""answer":"one""#))
        #expect(!host.send(.get, session).text.contains("inProgress"))
    }

    @Test func `the cancellation of a task of a store cancels the effect that it awaits`() throws {
        let host = try host()
        let session = host.harness.makeSession(of: "search")
        _ = host.send(.post, session + "/inputs/run", body: "\"1\"")
        host.harness.loop.run()
        #expect(host.send(.get, session).text.contains(#""inProgress":[{"effect":"await""#))
        _ = host.send(.post, session + "/inputs/cancel")
        host.harness.loop.run()
        #expect(cancelled.withLock { $0 } == 1)
        #expect(!host.send(.get, session).text.contains("inProgress"))
        try host.restart()
        _ = host.send(.get, session)
        #expect(questions == ["1"])
    }

    @Test func `an effect that a task of a store awaited is interrupted`() throws {
        let host = try host()
        let session = host.harness.makeSession(of: "search")
        _ = host.send(.post, session + "/inputs/run", body: "\"1\"")
        host.harness.loop.run()
        try host.restart()
        _ = host.send(.get, session)
        #expect(host.send(.get, session).text.contains(#""interrupted":"run await""#))
        #expect(questions == ["1"])
    }
}

import CombineCore
import ComposableAdapter
import ComposableArchitecture
import HTTPModel
import Locking
import MachineHost
import MachineTesting
import Testing

/// Effects of stores.
struct ComposableEffectTests {
    struct Search: ReducerProtocol {
        struct State: Codable, Equatable {
            var answer = ""
            var isLoading = false
        }

        enum Action: Equatable {
            case ask(String)
            case answered(String, String)
            case failed
        }

        let search: (String) -> EffectTask<Action>

        func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
            switch action {
            case .ask(let question):
                state.isLoading = true
                return search(question)
            case .answered(let question, let answer): state = State(answer: "\(question): \(answer)")
            case .failed: state = State(answer: "failed")
            }
            return .none
        }
    }

    /// The questions with the subjects of their answers.
    private let calls = Lock<[(question: String, answer: PassthroughSubject<String, any Error>)]>([])

    private func host(onCrash: CrashReaction<any Error> = .again) throws -> RestartableHost {
        let calls = calls
        return try RestartableHost([
            .composable("search", summary: "A search.", actions: ["ask"]) { context in
                let search = context.effect("search", onCrash: onCrash) { (question: String) in
                    calls.withLock { calls in
                        calls.append((question, PassthroughSubject<String, any Error>()))
                        return calls[calls.count - 1].answer
                    }
                } action: { (question, result) -> Search.Action in
                    (try? result.get()).map { .answered(question, $0) } ?? .failed
                }
                return Store(initialState: Search.State(), reducer: Search(search: search))
            }
        ])
    }

    @Test func `an answer becomes an action`() throws {
        let host = try host()
        let session = host.harness.makeSession(of: "search")
        _ = host.send(.post, session + "/inputs/ask", body: "\"1\"")
        calls.withLock { $0[0] }.answer.send("one")
        host.harness.loop.run()
        #expect(host.send(.get, session).text.contains(#""answer":"1: one","isLoading":false"#))
    }

    @Test func `a restored store receives the action of an effect that was asked again`() throws {
        let host = try host()
        let session = host.harness.makeSession(of: "search")
        _ = host.send(.post, session + "/inputs/ask", body: "\"1\"")
        try host.restart()
        #expect(host.send(.get, session).text.contains(#""isLoading":true"#))
        #expect(calls.withLock { $0.map(\.question) } == ["1", "1"])
        calls.withLock { $0[0] }.answer.send("old")
        calls.withLock { $0[1] }.answer.send("new")
        host.harness.loop.run()
        #expect(host.send(.get, session).text.contains(#""answer":"1: new","isLoading":false"#))
    }

    @Test func `a restored store receives the failure of an interrupted effect`() throws {
        let host = try host(onCrash: .fail)
        let session = host.harness.makeSession(of: "search")
        _ = host.send(.post, session + "/inputs/ask", body: "\"1\"")
        try host.restart()
        _ = host.send(.get, session)
        #expect(host.send(.get, session).text.contains(#""answer":"failed","isLoading":false"#))
        #expect(calls.withLock { $0.count } == 1)
    }

    @Test func `two effects with one name are rejected at registration`() {
        #expect(throws: MachineRegistrationError.self) {
            try MachineDefinition.composable("search", summary: "A search.", actions: ["ask"]) { context in
                for _ in 0..<2 { _ = context.timer("tick", every: .seconds(1)) }
                return Store(initialState: Search.State(), reducer: Search { _ in .none })
            }
        }
    }
}

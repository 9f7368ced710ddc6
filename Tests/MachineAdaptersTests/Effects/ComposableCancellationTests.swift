import CombineCore
import ComposableAdapter
import ComposableArchitecture
import Dispatch
import HTTPModel
import Locking
import MachineAdapters
import MachineHost
import MachineTesting
import Testing

/// Cancellation ids of the effects that a session stores.
struct ComposableCancellationTests {
    struct Search: ReducerProtocol {
        struct State: Codable, Equatable {
            var answer = ""
            var shots = 0
            var interrupted = ""
        }

        enum Action: Equatable {
            case ask(String)
            case askLater(String)
            case askAfterOther(String)
            case cancel
            case cancelOther
            case start
            case stop
            case answered(String, String)
            case shot
            case interrupted(String)
        }

        private enum SearchID {}
        private struct TimerID: Hashable {
            let number: Int
        }

        let search: (String) -> EffectTask<Action>
        let shots: () -> EffectTask<Action>

        func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
            switch action {
            case .ask(let question): return search(question).cancellable(id: SearchID.self, cancelInFlight: true)
            case .askLater(let question):
                return search(question).debounce(id: SearchID.self, for: .seconds(1), scheduler: DispatchQueue.main)
            case .askAfterOther(let question):
                return .concatenate(.fireAndForget {}, search(question)).cancellable(id: SearchID.self)
            case .cancel: return .cancel(id: SearchID.self)
            case .cancelOther: return .cancel(id: TimerID(number: 2))
            case .start: return shots().cancellable(id: TimerID(number: 1))
            case .stop: return .cancel(id: TimerID(number: 1))
            case .answered(let question, let answer): state.answer = "\(question): \(answer)"
            case .shot: state.shots += 1
            case .interrupted(let names): state.interrupted = names
            }
            return .none
        }
    }

    private struct Call {
        let question: String
        let answer = PassthroughSubject<String, Never>()
        var isCancelled = false
    }

    private let calls = Lock<[Call]>([])

    private func ask(_ question: String) -> AnyPublisher<String, Never> {
        let (index, call) = calls.withLock { calls in
            calls.append(Call(question: question))
            return (calls.count - 1, calls[calls.count - 1])
        }
        return call.answer.handleEvents(receiveCancel: { [calls] in calls.withLock { $0[index].isCancelled = true } })
            .eraseToAnyPublisher()
    }

    private var questions: [String] { calls.withLock { $0.map(\.question) } }
    private var cancelled: [Bool] { calls.withLock { $0.map(\.isCancelled) } }

    private func host() throws -> RestartableHost {
        let transfer = UnsafeTransfer(self)
        return try RestartableHost([
            .composable(
                "search", summary: "A search.",
                resumed: { .interrupted($0.map(\.name).joined(separator: " ")) }
            ) { context in
                let search = context.effect("search") {
                    transfer.value.ask($0)
                } action: {
                    (question: String, answer: Result<String, Never>) -> Search.Action in
                    switch answer {
                    case .success(let text): .answered(question, text)
                    }
                }
                let shots = context.timer("tick", every: .seconds(1)) { Search.Action.shot }
                return Store(initialState: Search.State(), reducer: Search(search: search, shots: shots))
            }
        ])
    }

    private func makeSession(_ host: RestartableHost) -> String { host.harness.makeSession(of: "search") }

    private func send(_ action: String, _ json: String? = nil, to session: String, of host: RestartableHost) {
        let answer = host.send(.post, "\(session)/inputs/\(action)", body: json)
        #expect(answer.status == .ok, "\(answer.text)")
    }

    @Test func `a cancelled effect is not asked again after a restart`() throws {
        let host = try host()
        let session = makeSession(host)
        send("ask", "\"1\"", to: session, of: host)
        send("cancel", to: session, of: host)
        #expect(cancelled == [true])
        try host.restart()
        #expect(!host.send(.get, session).text.contains("inProgress"))
        #expect(questions == ["1"])
    }

    @Test func `an effect that was asked again is cancelled by its id`() throws {
        let host = try host()
        let session = makeSession(host)
        send("ask", "\"1\"", to: session, of: host)
        try host.restart()
        _ = host.send(.get, session)
        send("cancelOther", to: session, of: host)
        #expect(questions == ["1", "1"])
        #expect(cancelled == [false, false])
        send("cancel", to: session, of: host)
        #expect(cancelled == [false, true])
        #expect(!host.send(.get, session).text.contains("inProgress"))
        calls.withLock { $0[1] }.answer.send("late")
        host.harness.loop.run()
        #expect(host.send(.get, session).text.contains(#""answer":"""#))
    }

    @Test func `cancelInFlight cancels an effect that was asked again`() throws {
        let host = try host()
        let session = makeSession(host)
        send("ask", "\"1\"", to: session, of: host)
        try host.restart()
        _ = host.send(.get, session)
        send("ask", "\"2\"", to: session, of: host)
        #expect(questions == ["1", "1", "2"])
        #expect(cancelled == [false, true, false])
        try host.restart()
        _ = host.send(.get, session)
        #expect(questions == ["1", "1", "2", "2"])
    }

    @Test func `an effect that is cancelled before it was asked again is not asked again`() throws {
        let host = try host()
        let session = makeSession(host)
        send("ask", "\"1\"", to: session, of: host)
        try host.restart()
        send("cancel", to: session, of: host)
        #expect(questions == ["1"])
        #expect(!host.send(.get, session).text.contains("inProgress"))
    }

    @Test func `the id is known in the second restart as well`() throws {
        let host = try host()
        let session = makeSession(host)
        send("ask", "\"1\"", to: session, of: host)
        try host.restart()
        _ = host.send(.get, session)
        try host.restart()
        _ = host.send(.get, session)
        send("cancel", to: session, of: host)
        #expect(questions == ["1", "1", "1"])
        #expect(cancelled == [false, false, true])
    }

    @Test func `an effect that started later keeps the id under which it was debounced`() throws {
        let host = try host()
        let session = makeSession(host)
        send("askLater", "\"1\"", to: session, of: host)
        host.harness.loop.advance(by: .seconds(2))
        #expect(questions == ["1"])
        try host.restart()
        _ = host.send(.get, session)
        send("cancel", to: session, of: host)
        #expect(cancelled == [false, true])
    }

    @Test func `an effect after another one keeps the id of both`() throws {
        let host = try host()
        let session = makeSession(host)
        send("askAfterOther", "\"1\"", to: session, of: host)
        host.harness.loop.run()
        #expect(questions == ["1"])
        try host.restart()
        _ = host.send(.get, session)
        send("cancel", to: session, of: host)
        #expect(cancelled == [false, true])
    }

    @Test func `effects that continue are not reported as interrupted`() throws {
        let host = try host()
        let session = makeSession(host)
        send("ask", "\"1\"", to: session, of: host)
        send("start", to: session, of: host)
        send("askLater", "\"2\"", to: session, of: host)
        #expect(cancelled == [true])
        try host.restart()
        // Only the debounce in progress, which consists of closures, was lost.
        #expect(host.send(.get, session).text.contains(#""interrupted":"effect""#))
    }

    @Test func `a timer of a store continues in a restored store until it is cancelled`() throws {
        let host = try host()
        let session = makeSession(host)
        send("start", to: session, of: host)
        host.harness.loop.advance(by: .milliseconds(2500))
        #expect(host.send(.get, session).text.contains(#""shots":2"#))
        try host.restart(after: 0)
        let text = host.send(.get, session).text
        #expect(text.contains(#""shots":2"#))
        #expect(text.contains(#""interrupted":"","#) || text.contains(#""interrupted":""}"#))
        host.harness.loop.advance(by: .seconds(2))
        #expect(host.send(.get, session).text.contains(#""shots":4"#))
        send("stop", to: session, of: host)
        host.harness.loop.advance(by: .seconds(2))
        #expect(host.send(.get, session).text.contains(#""shots":4"#))
    }
}

import CombineCore
import ComposableAdapter
import ComposableArchitecture
import HTTPModel
import Locking
import MachineHost
import MachineTesting
import Testing

/// Stored effects of children, in sessions that are restored.
struct PresentedEffectTests {
    struct Search: ReducerProtocol {
        struct State: Codable, Equatable {
            var answer = ""
        }

        enum Action: Equatable { case ask(String), answered(String), cancel }

        private enum AskID {}

        let search: (String) -> EffectTask<Action>

        func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
            switch action {
            case .ask(let question): return search(question).cancellable(id: AskID.self)
            case .cancel: return .cancel(id: AskID.self)
            case .answered(let answer): state.answer = answer
            }
            return .none
        }
    }

    struct Destination: ReducerProtocol {
        enum State: Codable, Equatable { case search(Search.State), other(Search.State) }
        enum Action: Equatable { case search(Search.Action), other(Search.Action) }

        let search: (String) -> EffectTask<Search.Action>

        var body: some ReducerOf<Self> {
            Scope(state: /State.search, action: /Action.search) { Search(search: search) }
            Scope(state: /State.other, action: /Action.other) { Search(search: search) }
        }
    }

    struct Parent: ReducerProtocol {
        struct State: Encodable, Equatable {
            @PresentationState var destination: Destination.State?
            var path = StackState<Search.State>([Search.State(), Search.State()])
            var count = 0
        }

        enum Action: Equatable {
            case destination(PresentationAction<Destination.Action>)
            case path(StackAction<Search.State, Search.Action>)
            case show
            case showOther
            case removeEarlier
            case count
        }

        let search: (String) -> EffectTask<Search.Action>

        var body: some ReducerOf<Self> {
            Reduce { state, action in
                guard action == .removeEarlier else { return .none }
                state.destination = nil
                state.path.removeAll()
                return .none
            }
            Reduce { state, action in
                switch action {
                case .show: state.destination = .search(Search.State())
                case .showOther: state.destination = .other(Search.State())
                case .count: state.count += 1
                default: break
                }
                return .none
            }
            .ifLet(\.$destination, action: /Action.destination) { Destination(search: search) }
            .forEach(\.path, action: /Action.path) { Search(search: search) }
        }
    }

    private struct Call {
        let answer = PassthroughSubject<String, Never>()
        var isCancelled = false
    }

    private let calls = Lock<[Call]>([])

    private func ask(_ question: String) -> AnyPublisher<String, Never> {
        let (index, call) = calls.withLock { calls in
            calls.append(Call())
            return (calls.count - 1, calls[calls.count - 1])
        }
        return call.answer.handleEvents(receiveCancel: { [calls] in calls.withLock { $0[index].isCancelled = true } })
            .eraseToAnyPublisher()
    }

    private var cancelled: [Bool] { calls.withLock { $0.map(\.isCancelled) } }

    private func definition() throws -> MachineDefinition {
        let transfer = UnsafeTransfer(self)
        return try .composable("parent", summary: "A parent.") { context in
            let search = context.effect("search") {
                transfer.value.ask($0)
            } in: { (action: Search.Action) -> Parent.Action in
                .destination(.presented(.search(action)))
            } action: { (_: String, answer: Result<String, Never>) -> Search.Action in
                switch answer {
                case .success(let text): .answered(text)
                }
            }
            return Store(initialState: Parent.State(), reducer: Parent(search: search))
        }
    }

    private func send(_ input: String, _ json: String? = nil, to session: String, of host: RestartableHost) {
        let answer = host.send(.post, "\(session)/inputs/\(input)", body: json)
        #expect(answer.status == .ok, "\(answer.text)")
    }

    /// Returns a host that has restarted while a presented child waits for an answer.
    private func restarted() throws -> (RestartableHost, session: String) {
        let host = try RestartableHost([definition()])
        let session = host.harness.makeSession(of: "parent")
        send("show", to: session, of: host)
        send("destination.presented.search.ask", "\"1\"", to: session, of: host)
        try host.restart()
        _ = host.send(.get, session)
        #expect(cancelled == [false, false])
        return (host, session)
    }

    /// Returns a host that has restarted while two elements of a stack wait for answers.
    private func restartedStack() throws -> (RestartableHost, session: String) {
        let host = try RestartableHost([definition()])
        let session = host.harness.makeSession(of: "parent")
        for id in 0..<2 {
            send("path.element.ask", #"{"id":\#(id),"value":"\#(id)"}"#, to: session, of: host)
        }
        try host.restart()
        _ = host.send(.get, session)
        #expect(cancelled == [false, false, false, false])
        return (host, session)
    }

    @Test func `a restored child receives its answer after other inputs`() throws {
        let (host, session) = try restarted()
        send("count", to: session, of: host)
        #expect(cancelled == [false, false])
        calls.withLock { $0[1] }.answer.send("found")
        host.harness.loop.run()
        #expect(host.send(.get, session).text.contains("found"))
    }

    @Test(arguments: ["destination.dismiss", "showOther", "removeEarlier"])
    func `the effects of a restored child end with it`(input: String) throws {
        let (host, session) = try restarted()
        send(input, to: session, of: host)
        #expect(cancelled == [false, true])
        #expect(!host.send(.get, session).text.contains("inProgress"))
    }

    @Test(arguments: ["path.popFrom", "removeEarlier"])
    func `the effects of a restored element end with it, and those of others continue`(input: String) throws {
        let (host, session) = try restartedStack()
        send(input, input == "path.popFrom" ? "1" : nil, to: session, of: host)
        #expect(cancelled == [false, false, input == "removeEarlier", true])
    }

    @Test func `a restored element cancels its own effects by an id that others use, too`() throws {
        let (host, session) = try restartedStack()
        send("path.element.cancel", #"{"id":0}"#, to: session, of: host)
        #expect(cancelled == [false, false, true, false])
    }

    @Test func `a child is dismissed twice by its clients, and the second time refused`() throws {
        let host = try RestartableHost([definition()])
        let session = host.harness.makeSession(of: "parent")
        send("show", to: session, of: host)
        send("destination.dismiss", to: session, of: host)
        let answer = host.send(.post, "\(session)/inputs/destination.dismiss")
        #expect(answer.status == .conflict)
        #expect(answer.text.contains(#"\"destination\" is not presented"#))
        let popped = host.send(.post, "\(session)/inputs/path.popFrom", body: "7")
        #expect(popped.status == .conflict)
        #expect(popped.text.contains(#"\"path\" has no element with id #7"#))
    }
}

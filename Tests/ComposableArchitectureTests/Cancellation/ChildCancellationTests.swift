import CombineCore
import Testing

@testable import ComposableArchitecture

/// Equal cancellation ids in several features of one store.
@Suite struct ChildCancellationTests {
    private struct Worker: ReducerProtocol {
        struct State: Equatable, Identifiable {
            var id = 0
        }

        enum Action: Equatable {
            case start(String), later(String), restart(String), cancel
        }

        let running: RunningNames
        let signal: PassthroughSubject<Void, Never>

        func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
            switch action {
            case .start(let name): return running.effect(name).cancellable(id: "work")
            case .later(let name):
                return signal.flatMap { running.effect(name).cancellable(id: "work") as EffectTask<Action> }
                    .eraseToEffect()
            case .restart(let name): return running.effect(name).cancellable(id: "work", cancelInFlight: true)
            case .cancel: return .cancel(id: "work")
            }
        }
    }

    private struct Parent: ReducerProtocol {
        struct State: Equatable {
            @PresentationState var one: Worker.State? = Worker.State()
            @PresentationState var two: Worker.State? = Worker.State()
            var rows: IdentifiedArrayOf<Worker.State> = [Worker.State(id: 1), Worker.State(id: 2)]
            var path = StackState([Worker.State(), Worker.State()])
            var own = Worker.State()
        }

        enum Action: Equatable {
            case one(PresentationAction<Worker.Action>)
            case two(PresentationAction<Worker.Action>)
            case rows(Int, Worker.Action)
            case path(StackAction<Worker.State, Worker.Action>)
            case own(Worker.Action)
            case cancel
        }

        let running: RunningNames
        let signal: PassthroughSubject<Void, Never>

        var body: some ReducerOf<Self> {
            Scope(state: \.own, action: /Action.own) { worker }
            Reduce { _, action in action == .cancel ? .cancel(id: "work") : .none }
                .ifLet(\.$one, action: /Action.one) { worker }
                .ifLet(\.$two, action: /Action.two) { worker }
                .forEach(\.rows, action: /Action.rows) { worker }
                .forEach(\.path, action: /Action.path) { worker }
        }

        private var worker: Worker { Worker(running: running, signal: signal) }
    }

    private let running = RunningNames()
    private let signal = PassthroughSubject<Void, Never>()

    /// Returns a store in which all features have started an effect.
    private func store() -> Store<Parent.State, Parent.Action> {
        let store = makeStore(Parent.State(), Parent(running: running, signal: signal))
        store.send(.one(.presented(.start("one"))))
        store.send(.two(.presented(.start("two"))))
        store.send(.rows(1, .start("row 1")))
        store.send(.rows(2, .start("row 2")))
        store.send(.path(.element(id: 0, action: .start("path 0"))))
        store.send(.path(.element(id: 1, action: .start("path 1"))))
        store.send(.own(.start("own")))
        return store
    }

    private let all: Set = ["one", "two", "row 1", "row 2", "path 0", "path 1", "own"]

    @Test func `a child cancels neither its siblings nor its parent`() {
        let store = store()
        #expect(running.names == all)
        store.send(.one(.presented(.cancel)))
        store.send(.rows(1, .cancel))
        store.send(.path(.element(id: 0, action: .cancel)))
        #expect(running.names == ["two", "row 2", "path 1", "own"])
    }

    @Test func `a new effect of a child replaces its own`() {
        let store = store()
        store.send(.two(.presented(.restart("new"))))
        #expect(running.names == all.subtracting(["two"]).union(["new"]))
    }

    @Test func `the parent cancels the effects of all children, and so does a feature in its scope`() {
        for action in [Parent.Action.cancel, .own(.cancel)] {
            let store = store()
            #expect(running.names == all)
            store.send(action)
            #expect(running.names == [])
            #expect(store.effectCancellables.isEmpty)
        }
    }

    @Test func `an effect that a child starts later is one of the child`() {
        let store = makeStore(Parent.State(), Parent(running: running, signal: signal))
        store.send(.one(.presented(.later("one"))))
        store.send(.two(.presented(.later("two"))))
        signal.send()
        #expect(running.names == ["one", "two"])
        store.send(.two(.presented(.cancel)))
        #expect(running.names == ["one"])
        store.send(.cancel)
        #expect(running.names == [])
    }
}

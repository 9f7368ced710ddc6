import ComposableArchitecture
import Dispatch
import Testing

/// A feature with all parts of a reducer type: form fields, a presented screen, and a stack of screens.
struct FormFeature: ReducerProtocol {
    struct State: Equatable {
        @BindableState var name = ""
        @BindableState var count = 0
        @PresentationState var sheet: SheetFeature.State?
        var path = StackState<SheetFeature.State>()
        var children: IdentifiedArrayOf<RowFeature.State> = []
        var facts: [String] = []
    }

    enum Action: Equatable, BindableAction {
        case binding(BindingAction<State>)
        case sheet(PresentationAction<SheetFeature.Action>)
        case path(StackAction<SheetFeature.State, SheetFeature.Action>)
        case row(id: Int, action: RowFeature.Action)
        case load
        case loaded(TaskResult<String>)
        case open
        case stop
    }

    private enum LoadID {}

    @Dependency(\.date) var date
    @Dependency(\.uuid) var uuid
    @Dependency(\.mainQueue) var mainQueue

    var body: some ReducerProtocol<State, Action> {
        BindingReducer()
        Reduce { state, action in
            switch action {
            case .binding(\.$count):
                state.facts.append("count")
                return .none
            case .binding: return .none
            case .load:
                return .run { [name = state.name] send in
                    try await mainQueue.sleep(for: .seconds(1))
                    await send(.loaded(TaskResult { "fact about \(name)" }))
                }
                .cancellable(id: LoadID.self, cancelInFlight: true)
            case .loaded(.success(let fact)):
                state.facts.append(fact)
                return .none
            case .loaded(.failure): return .none
            case .open:
                state.sheet = SheetFeature.State()
                state.path.append(SheetFeature.State())
                return .none
            case .stop: return .cancel(id: LoadID.self)
            case .sheet, .path, .row: return .none
            }
        }
        .ifLet(\.$sheet, action: /Action.sheet) { SheetFeature() }
        .forEach(\.path, action: /Action.path) { SheetFeature() }
        .forEach(\.children, action: /Action.row(id:action:)) { RowFeature() }
    }
}

struct SheetFeature: ReducerProtocol {
    struct State: Equatable { var taps = 0 }
    enum Action: Equatable { case tap, close }
    @Dependency(\.dismiss) var dismiss

    func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        switch action {
        case .tap:
            state.taps += 1
            return .none
        case .close: return .fireAndForget { await dismiss() }
        }
    }
}

struct RowFeature: ReducerProtocol {
    struct State: Equatable, Identifiable { let id: Int; var on = false }
    enum Action: Equatable { case toggle }

    func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        state.on.toggle()
        return .none
    }
}

struct ModernSpellingTests {
    @Test func `a form can be bound, a sheet presented and dismissed`() async {
        let clock = DispatchQueue.test
        let store = TestStore(
            initialState: FormFeature.State(children: [RowFeature.State(id: 7)]), reducer: FormFeature()
        ) {
            $0.mainQueue = clock.eraseToAnyScheduler()
        }
        await store.send(.set(\.$name, "Ann")) { $0.name = "Ann" }
        await store.send(.binding(.set(\.$count, 3))) {
            $0.count = 3
            $0.facts = ["count"]
        }
        await store.send(.row(id: 7, action: .toggle)) { $0.children[id: 7]?.on = true }
        await store.send(.load)
        await clock.advance(by: .seconds(1))
        await store.receive(.loaded(.success("fact about Ann"))) { $0.facts.append("fact about Ann") }
        await store.send(.load)
        await store.send(.stop)
        await store.send(.open) {
            $0.sheet = SheetFeature.State()
            $0.path.append(SheetFeature.State())
        }
        await store.send(.sheet(.presented(.tap))) { $0.sheet?.taps = 1 }
        await store.send(.sheet(.presented(.close)))
        await store.receive(.sheet(.dismiss)) { $0.sheet = nil }
        let id = store.state.path.ids[0]
        await store.send(.path(.element(id: id, action: .tap))) { $0.path[id: id]?.taps = 1 }
        await store.send(.path(.popFrom(id: id))) { $0.path = StackState() }
        await store.finish()
    }

    @Test func `effects compile in the spelling of later versions`() async {
        let one: EffectTask<Int> = .send(1)
        var seen: [Int] = []
        let both = one.concatenate(with: .send(2)).merge(with: .publisher { Just(3) })
        for await value in both.values { seen.append(value) }
        #expect(seen == [1, 3, 2] || seen == [1, 2, 3])
        let value = await withTaskCancellation(id: "x", cancelInFlight: true) { 5 }
        Task.cancel(id: "x")
        #expect(value == 5)
    }
}

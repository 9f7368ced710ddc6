import ComposableMacros

@DependencyClient
struct FactClient: Sendable {
    var fetch: @Sendable (_ about: Int) async throws -> String
    var log: @Sendable (String) -> Void
    var limit: @Sendable () -> Int = { 10 }
}

extension FactClient: TestDependencyKey {
    static var testValue: FactClient { FactClient() }
}

extension DependencyValues {
    var facts: FactClient {
        get { self[FactClient.self] }
        set { self[FactClient.self] = newValue }
    }
}

@Reducer
struct Counter {
    struct State: Equatable, Identifiable {
        let id: Int
        var count = 0
        var fact: String?
    }

    enum Action: Equatable {
        case increment
        case set(Int)
        case factButtonTapped
        case factResponse(String)
    }

    @Dependency(\.facts) var facts

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .increment:
                state.count += 1
                return .none
            case .set(let count):
                state.count = count
                return .none
            case .factButtonTapped:
                return .run { [count = state.count] send in
                    await send(.factResponse((try? await facts.fetch(about: count)) ?? "none"))
                }
            case .factResponse(let fact):
                state.fact = fact
                return .none
            }
        }
    }
}

@Reducer
struct Screens {
    struct State: Equatable {
        var first = Counter.State(id: 0)
        var rows: IdentifiedArrayOf<Counter.State> = []
        var path = StackState<Counter.State>()
        var extra: Counter.State?
        @PresentationState var sheet: Counter.State?
        @PresentationState var alert: AlertState<Action.Alert>?
    }

    enum Action: Equatable {
        case first(Counter.Action)
        case rows(IdentifiedActionOf<Counter>)
        case path(StackActionOf<Counter>)
        case extra(Counter.Action)
        case sheet(PresentationAction<Counter.Action>)
        case alert(PresentationAction<Alert>)

        @CasePathable
        enum Alert: Equatable {
            case confirm
        }
    }

    var body: some ReducerOf<Self> {
        Scope(state: \.first, action: \.first) { Counter() }
        Reduce { state, action in
            switch action {
            case \.first.increment:
                state.alert = AlertState(title: "Really?")
                return .none
            default: return .none
            }
        }
        .ifLet(\.extra, action: \.extra) { Counter() }
        .ifLet(\.$sheet, action: \.sheet) { Counter() }
        .ifLet(\.$alert, action: \.alert)
        .forEach(\.rows, action: \.rows) { Counter() }
        .forEach(\.path, action: \.path) { Counter() }
    }
}

@Reducer
struct Either {
    enum State: Equatable {
        case counter(Counter.State)
        case nothing
    }

    enum Action: Equatable {
        case counter(Counter.Action)
        case clear
    }

    var body: some Reducer<State, Action> {
        Reduce { state, action in
            if action == .clear { state = .nothing }
            return .none
        }
        .ifCaseLet(\.counter, action: \.counter) { Counter() }
    }
}

@Reducer
struct Nothing {}

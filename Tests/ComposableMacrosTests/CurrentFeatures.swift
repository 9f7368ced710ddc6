import ComposableMacros

/// A feature whose view sends its actions in a case of their own, with animations.
@Reducer
struct Editor {
    @ObservableState
    struct State: Equatable {
        var text = ""
        var length = 0
        var saves = 0
    }

    enum Action: ViewAction {
        case saved
        case view(View)

        @CasePathable
        enum View: BindableAction {
            case binding(BindingAction<State>)
            case saveTapped
            case saveTwiceTapped
        }
    }

    var body: some ReducerOf<Self> {
        BindingReducer(action: \.view)
            .onChange(of: \.text) { old, state in
                state.length = state.text.count
                return old.isEmpty ? .none : .send(.saved, animation: .easeIn)
            }
        Reduce { state, action in
            switch action {
            case .saved:
                state.saves += 1
                return .none
            case .view(.binding): return .none
            case .view(.saveTapped): return .run { await $0(.saved, animation: .default) }.animation()
            case .view(.saveTwiceTapped):
                return .run { send in
                    await send(.saved, transaction: Transaction(animation: .linear))
                    await send(.saved, animation: nil)
                }
                .transaction(Transaction())
            }
        }
    }
}

@ViewAction(for: Editor.self)
struct EditorPage {
    let store: StoreOf<Editor>

    func save() { send(.saveTapped) }
    func type(_ text: String) { send(.binding(.set(\.text, text)), animation: .easeOut) }
}

/// A feature with presented state of a type that the macro does not know, and with a child in a property.
@Reducer
struct Survey {
    typealias Question = AlertState<Answer>

    enum Answer: Equatable { case yes }

    @Reducer(state: .equatable)
    enum Destination {
        @ReducerCaseEphemeral case question(Question)
        case counter(Counter = Counter())
        @ReducerCaseIgnored case place(page: Int, line: Int)
    }

    @ObservableState
    struct State: Equatable {
        var counter = Counter.State(id: 0)
        @Presents var destination: Destination.State?
    }

    enum Action {
        case ask
        case count
        case counter(Counter.Action)
        case destination(PresentationActionOf<Destination>)
        case turn(Int)
    }

    var body: some ReducerOf<Self> {
        Scope(state: \.counter, action: \.counter, child: { Counter() })
        Reduce { state, action in
            switch action {
            case .ask: state.destination = .question(Question(title: "Sure?"))
            case .count: state.destination = .counter(Counter.State(id: 1))
            case .turn(let page): state.destination = .place(page: page, line: 1)
            case .counter, .destination: break
            }
            return .none
        }
        .ifLet(\.$destination, action: \.destination)
    }
}

@DependencyClient
struct NumberClient {
    @DependencyEndpoint(method: "fact") var fetch: (_ number: Int) throws -> String
    @DependencyEndpoint(method: "next") var generate: () throws -> Int
}

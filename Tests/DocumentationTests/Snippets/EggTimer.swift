import ComposableMacros

@Reducer
struct EggTimer {
    @ObservableState
    struct State: Equatable, Encodable {
        var seconds = 60
        @Presents var alert: AlertState<Action.Alert>?
    }

    enum Action: BindableAction {
        case alert(PresentationAction<Alert>)
        case binding(BindingAction<State>)
        case startTapped
        case tick

        @CasePathable
        enum Alert: Equatable { case again }
    }

    private enum CancelID { case timer }

    @Dependency(\.continuousClock) var clock

    var body: some Reducer<State, Action> {
        BindingReducer()
        Reduce { state, action in
            switch action {
            case .startTapped, .alert(.presented(.again)): return start()
            case .tick:
                state.seconds -= 1
                guard state.seconds <= 0 else { return .none }
                state.alert = AlertState {
                    TextState("The egg is done")
                } actions: {
                    ButtonState(action: .again) { TextState("Another one") }
                    ButtonState(role: .cancel) { TextState("OK") }
                }
                return .cancel(id: CancelID.timer)
            case .alert, .binding: return .none
            }
        }
        .ifLet(\.$alert, action: \.alert)
    }

    private func start() -> Effect<Action> {
        .run { send in
            for await _ in clock.timer(interval: .seconds(1)) { await send(.tick) }
        }
        .cancellable(id: CancelID.timer)
    }
}

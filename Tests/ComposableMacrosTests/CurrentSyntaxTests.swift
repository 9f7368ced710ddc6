import ComposableMacros
import Testing

/// A feature in the syntax of the current documentation.
@Reducer
struct Reminder {
    @ObservableState
    struct State: Equatable {
        var text = ""
        var seconds = 0
        var isRunning = false
        @Presents var alert: AlertState<Action.Alert>?
        @Presents var dialog: ConfirmationDialogState<Action.Dialog>?
    }

    enum Action: BindableAction {
        case alert(PresentationAction<Alert>)
        case binding(BindingAction<State>)
        case chooseTapped
        case clearTapped
        case dialog(PresentationAction<Dialog>)
        case startTapped
        case stopTapped
        case tick

        @CasePathable
        enum Alert: Equatable {
            case confirm
        }

        @CasePathable
        enum Dialog: Equatable {
            case add(Int)
        }
    }

    private enum CancelID { case timer }

    @Dependency(\.continuousClock) var clock

    var body: some Reducer<State, Action> {
        BindingReducer()
            .onChange(of: \.text) { _, text in
                Reduce { state, _ in
                    state.seconds = text.count
                    return .none
                }
            }
        Reduce { state, action in
            switch action {
            case .alert(.presented(.confirm)):
                state.text = ""
                return .none
            case .chooseTapped:
                state.dialog = ConfirmationDialogState {
                    TextState("How long?")
                } actions: {
                    ButtonState(action: .add(10)) { TextState("10") }
                    ButtonState(action: .send(.add(60), animation: .easeIn(duration: 1))) { TextState("60") }
                }
                return .none
            case .clearTapped:
                state.alert = AlertState {
                    TextState("Clear?")
                } actions: {
                    ButtonState(role: .destructive, action: .confirm) { TextState("Clear") }
                    ButtonState(role: .cancel) { TextState("Keep") }
                }
                return .none
            case .dialog(.presented(.add(let seconds))):
                state.seconds += seconds
                return .none
            case .startTapped:
                state.isRunning = true
                return start()
            case .stopTapped:
                state.isRunning = false
                return .cancel(id: CancelID.timer)
            case .tick:
                state.seconds -= 1
                return state.seconds > 0 ? .none : .send(.stopTapped)
            case .alert, .binding, .dialog: return .none
            }
        }
        .ifLet(\.$alert, action: \.alert)
        .ifLet(\.$dialog, action: \.dialog)
    }

    private func start() -> Effect<Action> {
        .run { send in
            for await _ in clock.timer(interval: .seconds(1)) { await send(.tick) }
        }
        .cancellable(id: CancelID.timer, cancelInFlight: true)
    }
}

struct CurrentSyntaxTests {
    private let clock = TestClock()

    private func store() -> TestStoreOf<Reminder> {
        TestStore(initialState: Reminder.State()) {
            Reminder()
        } withDependencies: {
            $0.continuousClock = clock
        }
    }

    @Test func `a binding is sent by the key path of its property`() async {
        let store = store()
        await store.send(\.binding.text, "ab") {
            $0.text = "ab"
            $0.seconds = 2
        }
        await store.send(.set(\.text, "abc")) {
            $0.text = "abc"
            $0.seconds = 3
        }
    }

    /// Advances the clock by a second. The timer waits for it, since each step of the store has let it.
    private func advance() async { await clock.advance(by: .seconds(1)) }

    @Test func `a timer ticks on the clock of the test until it is cancelled`() async {
        let store = store()
        await store.send(\.binding.text, "ab") {
            $0.text = "ab"
            $0.seconds = 2
        }
        await store.send(\.startTapped) { $0.isRunning = true }
        await advance()
        await store.receive(\.tick) { $0.seconds = 1 }
        await advance()
        await store.receive(\.tick) { $0.seconds = 0 }
        await store.receive(\.stopTapped) { $0.isRunning = false }
        await store.finish()
    }

    @Test func `an alert ends with each of its buttons`() async {
        let store = store()
        await store.send(\.binding.text, "a") {
            $0.text = "a"
            $0.seconds = 1
        }
        let alert = AlertState<Reminder.Action.Alert>(
            title: TextState("Clear?"),
            buttons: [.destructive(TextState("Clear"), action: .send(.confirm)), .cancel(TextState("Keep"))])
        await store.send(\.clearTapped) { $0.alert = alert }
        await store.send(\.alert.dismiss) { $0.alert = nil }
        await store.send(\.clearTapped) { $0.alert = alert }
        await store.send(\.alert.confirm) {
            $0.alert = nil
            $0.text = ""
        }
    }

    @Test func `a dialog ends with each of its buttons`() async {
        let store = store()
        store.exhaustivity = .off
        await store.send(\.chooseTapped)
        #expect(store.state.dialog?.buttons.map(\.action.action) == [.add(10), .add(60)])
        await store.send(\.dialog.add, 60) {
            $0.dialog = nil
            $0.seconds = 60
        }
    }

    @Test func `a printed reducer does the same`() async {
        let store = TestStore(initialState: Reminder.State()) { Reminder()._printChanges(.actionLabels) }
        await store.send(\.binding.text, "a") {
            $0.text = "a"
            $0.seconds = 1
        }
    }
}

@Reducer
struct Chooser {
    @Reducer(state: .equatable)
    enum Destination {
        case dialog(ConfirmationDialogState<Choice>)

        @CasePathable
        enum Choice: Equatable { case first }
    }

    @ObservableState
    struct State: Equatable {
        @Presents var destination: Destination.State?
    }

    enum Action {
        case destination(PresentationAction<Destination.Action>)
        case show
    }

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            if case .show = action {
                state.destination = .dialog(
                    ConfirmationDialogState {
                        TextState("T")
                    } actions: {
                    })
            }
            return .none
        }
        .ifLet(\.$destination, action: \.destination)
    }
}

extension CurrentSyntaxTests {
    @Test func `a dialog is a case of a destination`() async {
        let store = TestStore(initialState: Chooser.State()) { Chooser() }
        await store.send(\.show) {
            $0.destination = .dialog(
                ConfirmationDialogState {
                    TextState("T")
                } actions: {
                })
        }
        await store.send(\.destination.dialog.first) { $0.destination = nil }
    }
}

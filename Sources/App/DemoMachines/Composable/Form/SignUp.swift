import ComposableMacros

/// A form with bindings and validation. An alert shows whether the registration succeeded.
@Reducer
struct SignUp {
    @ObservableState
    struct State: Equatable, Encodable {
        var name = ""
        var email = ""
        var acceptsTerms = false
        /// The errors of the fields; empty until the form was submitted once.
        var errors = FieldErrors()
        var wasSubmitted = false
        var isSubmitting = false
        /// The number of the registration.
        var number: Int?
        @Presents var alert: AlertState<Action.Alert>?
    }

    enum Action: BindableAction {
        case alert(PresentationAction<Alert>)
        case binding(BindingAction<State>)
        case registerResponse(Result<Int, any Error>)
        /// The server was restarted, and the request is not running any more.
        case resumed
        case submitTapped

        @CasePathable
        enum Alert: Equatable {
            case startOver
            case tryAgain
        }
    }

    @Dependency(\.registrations) var registrations

    var body: some ReducerOf<Self> {
        BindingReducer()
        Reduce { state, action in
            switch action {
            case .alert(.presented(.startOver)):
                state = State()
                return .none
            case .alert(.presented(.tryAgain)), .submitTapped: return submit(&state)
            case .binding:
                if state.wasSubmitted { state.errors = FieldErrors(state) }
                return .none
            case .registerResponse(.success(let number)):
                state.isSubmitting = false
                state.number = number
                state.alert = .registered(number)
                return .none
            case .registerResponse(.failure(let error)):
                state.isSubmitting = false
                state.alert = .failed(error)
                return .none
            case .resumed: return state.isSubmitting ? register(state) : .none
            case .alert: return .none
            }
        }
        .ifLet(\.$alert, action: \.alert)
    }

    private func submit(_ state: inout State) -> Effect<Action> {
        guard !state.isSubmitting else { return .none }
        state.wasSubmitted = true
        state.errors = FieldErrors(state)
        guard state.errors.isEmpty else { return .none }
        state.isSubmitting = true
        return register(state)
    }

    private func register(_ state: State) -> Effect<Action> {
        .run { [registration = Registration(name: state.name, email: state.email)] send in
            await send(.registerResponse(.success(try await registrations.register(registration))))
        } catch: { error, send in
            await send(.registerResponse(.failure(error)))
        }
    }
}

extension AlertState where Action == SignUp.Action.Alert {
    /// The alert after a registration.
    static func registered(_ number: Int) -> AlertState {
        AlertState {
            TextState("You are registered")
        } actions: {
            ButtonState(action: .startOver) { TextState("Register somebody else") }
            ButtonState(role: .cancel) { TextState("OK") }
        } message: {
            TextState("Your number is \(number).")
        }
    }

    /// The alert after a registration that failed.
    static func failed(_ error: any Error) -> AlertState {
        AlertState {
            TextState("You are not registered")
        } actions: {
            ButtonState(action: .tryAgain) { TextState("Try again") }
            ButtonState(role: .cancel) { TextState("Cancel") }
        } message: {
            TextState((error as? RegistrationError)?.rawValue ?? "The service does not respond.")
        }
    }
}

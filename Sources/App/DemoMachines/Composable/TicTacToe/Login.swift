public import ComposableArchitecture
public import MachineHost

/// A login with an optional second step.
public struct Login: ReducerProtocol {
    /// The state of the form.
    public struct State: Equatable, Encodable, Sendable {
        var alert: AlertState<Action>?
        var email = ""
        var isFormValid = false
        var isLoginRequestInFlight = false
        var password = ""
        var twoFactor: TwoFactor.State?

        // The password is left out so that no output contains it.
        private enum CodingKeys: CodingKey {
            case alert, email, isFormValid, isLoginRequestInFlight, twoFactor
        }
    }

    /// The actions of the user and the response of the service.
    public enum Action: Equatable, Sendable {
        case alertDismissed
        case emailChanged(String)
        case loginButtonTapped
        case loginResponse(Result<AuthenticationResponse, AuthenticationError>)
        case passwordChanged(String)
        /// The server was restarted, and no request is running any more.
        case resumed
        case twoFactor(TwoFactor.Action)
        case twoFactorDismissed
    }

    @Dependency(\.authenticationClient) private var authenticationClient
    @Dependency(\.mainQueue) private var mainQueue

    /// The reducer of the login. The second step exists only while it is needed.
    public var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .alertDismissed: state.alert = nil
            case .emailChanged(let email):
                state.email = email
                state.isFormValid = !email.isEmpty && !state.password.isEmpty
            case .passwordChanged(let password):
                state.password = password
                state.isFormValid = !state.email.isEmpty && !password.isEmpty
            case .resumed:
                if state.twoFactor != nil { return Effect(value: .twoFactor(.resumed)) }
                return state.isLoginRequestInFlight ? Effect(value: .loginButtonTapped) : .none
            case .loginButtonTapped:
                state.isLoginRequestInFlight = true
                return authenticationClient.login(state.email, state.password)
                    .delay(for: 1, scheduler: mainQueue)
                    .catchToEffect(Action.loginResponse)
            case .loginResponse(.failure(let error)):
                state.alert = AlertState(
                    title: error.rawValue, dismissButton: .cancel("OK", send: .alertDismissed))
                state.isLoginRequestInFlight = false
            case .loginResponse(.success(let response)):
                state.isLoginRequestInFlight = false
                if response.twoFactorRequired { state.twoFactor = TwoFactor.State(token: response.token) }
            case .twoFactorDismissed: state.twoFactor = nil
            case .twoFactor: break
            }
            return .none
        }
        .ifLet(\.twoFactor, action: /Action.twoFactor) { TwoFactor() }
    }
}

extension Login.State: JSONDescribed {
    /// The members that are encoded, which do not include the password.
    public static var jsonShape: JSONShape {
        .members([
            "alert": AlertState<Login.Action>?.self,
            "email": String.self,
            "isFormValid": Bool.self,
            "isLoginRequestInFlight": Bool.self,
            "twoFactor": TwoFactor.State?.self,
        ])
    }
}

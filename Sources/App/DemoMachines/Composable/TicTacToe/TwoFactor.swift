public import ComposableArchitecture
public import MachineHost

/// The second step of a login, which requires a code.
public struct TwoFactor: ReducerProtocol {
    /// The state of the form.
    public struct State: Equatable, Encodable, Sendable {
        var alert: AlertState<Action>?
        var code = ""
        var isFormValid = false
        var isTwoFactorRequestInFlight = false
        let token: String

        private enum CodingKeys: CodingKey {
            case alert, code, isFormValid, isTwoFactorRequestInFlight
        }
    }

    /// The actions of the user and the response of the service.
    public enum Action: Equatable, Sendable {
        case alertDismissed
        case codeChanged(String)
        /// The server was restarted, and no request is running any more.
        case resumed
        case submitButtonTapped
        case twoFactorResponse(Result<AuthenticationResponse, AuthenticationError>)
    }

    @Dependency(\.authenticationClient) private var authenticationClient
    @Dependency(\.mainQueue) private var mainQueue

    /// Validates the form and sends the code.
    public func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        switch action {
        case .alertDismissed:
            state.alert = nil
            return .none
        case .codeChanged(let code):
            state.code = code
            state.isFormValid = code.count >= 4
            return .none
        case .resumed: return state.isTwoFactorRequestInFlight ? Effect(value: .submitButtonTapped) : .none
        case .submitButtonTapped:
            state.isTwoFactorRequestInFlight = true
            return authenticationClient.twoFactor(state.code, state.token)
                .delay(for: 1, scheduler: mainQueue)
                .catchToEffect(Action.twoFactorResponse)
        case .twoFactorResponse(.failure(let error)):
            state.alert = AlertState(
                title: error.rawValue, dismissButton: .cancel("OK", send: .alertDismissed))
            state.isTwoFactorRequestInFlight = false
            return .none
        case .twoFactorResponse(.success):
            state.isTwoFactorRequestInFlight = false
            return .none
        }
    }
}

extension TwoFactor.State: JSONDescribed {
    /// The members that are encoded, which do not include the token.
    public static var jsonShape: JSONShape {
        .members([
            "alert": AlertState<TwoFactor.Action>?.self,
            "code": String.self,
            "isFormValid": Bool.self,
            "isTwoFactorRequestInFlight": Bool.self,
        ])
    }
}

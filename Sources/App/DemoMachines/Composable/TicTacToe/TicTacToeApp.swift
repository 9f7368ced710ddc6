public import ComposableArchitecture

/// Four nested optional features: login, its second step, new game and game.
public struct TicTacToeApp: ReducerProtocol {
    /// The screen that is shown.
    public struct State: Equatable, Encodable, Sendable {
        var login: Login.State? = Login.State()
        var newGame: NewGame.State?

        /// Creates an app that shows the login.
        public init() {}
    }

    /// The actions of all screens.
    public enum Action: Equatable, Sendable {
        case login(Login.Action)
        case newGame(NewGame.Action)
    }

    /// Creates an app that shows the login.
    public init() {}

    /// The reducer that switches between the login and the games.
    public var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .login(.loginResponse(.success(let response))) where !response.twoFactorRequired,
                .login(.twoFactor(.twoFactorResponse(.success(let response)))) where !response.twoFactorRequired:
                state.login = nil
                state.newGame = NewGame.State()
            case .newGame(.logoutButtonTapped):
                state.newGame = nil
                state.login = Login.State()
            case .login, .newGame: break
            }
            return .none
        }
        .ifLet(\.login, action: /Action.login) { Login() }
        .ifLet(\.newGame, action: /Action.newGame) { NewGame() }
    }
}

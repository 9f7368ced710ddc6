public import ComposableArchitecture

/// Four optional features, one inside the other: login, its second step, a new game, the game.
public struct TicTacToeApp: ReducerProtocol {
    /// Where the user is.
    public struct State: Equatable, Encodable, Sendable {
        var login: Login.State? = Login.State()
        var newGame: NewGame.State?

        /// At the login.
        public init() {}
    }

    /// What can happen anywhere.
    public enum Action: Equatable, Sendable {
        case login(Login.Action)
        case newGame(NewGame.Action)
    }

    /// At the login.
    public init() {}

    /// Leads from the login to the games and back.
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

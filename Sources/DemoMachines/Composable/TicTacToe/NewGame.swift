public import ComposableArchitecture

/// Who is going to play, and the game while it is played.
public struct NewGame: ReducerProtocol {
    /// The names, and the game.
    public struct State: Equatable, Encodable, Sendable {
        var game: Game.State?
        var oPlayerName = ""
        var xPlayerName = ""
    }

    /// What can happen.
    public enum Action: Equatable, Sendable {
        case game(Game.Action)
        case letsPlayButtonTapped
        case logoutButtonTapped
        case oPlayerNameChanged(String)
        case xPlayerNameChanged(String)
    }

    /// Begins and ends games.
    public var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .game(.quitButtonTapped): state.game = nil
            case .letsPlayButtonTapped:
                guard !state.oPlayerName.isEmpty, !state.xPlayerName.isEmpty else { return .none }
                state.game = Game.State(oPlayerName: state.oPlayerName, xPlayerName: state.xPlayerName)
            case .oPlayerNameChanged(let name): state.oPlayerName = name
            case .xPlayerNameChanged(let name): state.xPlayerName = name
            case .game, .logoutButtonTapped: break
            }
            return .none
        }
        .ifLet(\.game, action: /Action.game) { Game() }
    }
}

public import ComposableArchitecture
public import MachineHost

/// The form for a new game, and the game while it is played.
public struct NewGame: ReducerProtocol {
    /// The names of the players, and the game.
    public struct State: Equatable, Encodable, Sendable {
        var game: Game.State?
        var oPlayerName = ""
        var xPlayerName = ""
    }

    /// The actions of the form and of the game.
    public enum Action: Equatable, Sendable {
        case game(Game.Action)
        case letsPlayButtonTapped
        case logoutButtonTapped
        case oPlayerNameChanged(String)
        case xPlayerNameChanged(String)
    }

    /// The reducer that starts and ends games.
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

extension NewGame.State: JSONDescribed {
    /// The members that are encoded.
    public static var jsonShape: JSONShape {
        .members(["game": Game.State?.self, "oPlayerName": String.self, "xPlayerName": String.self])
    }
}

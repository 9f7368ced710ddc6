public import ComposableArchitecture
public import MachineHost

/// The game of tic-tac-toe.
public struct Game: ReducerProtocol {
    /// The mark of a player.
    public enum Mark: String, Codable, Sendable {
        case x = "X"
        case o = "O"

        var other: Mark { self == .x ? .o : .x }
    }

    /// The board and the current player.
    public struct State: Equatable, Encodable, Sendable {
        var board: [[Mark?]] = Array(repeating: Array(repeating: nil, count: 3), count: 3)
        var currentPlayer = Mark.x
        let oPlayerName: String
        let xPlayerName: String

        /// The player with three marks in a row, if there is one.
        var winner: Mark? {
            let lines = [
                [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
            ]
            let cells = board.flatMap { $0 }
            return lines.lazy.compactMap { line -> Mark? in
                let marks = line.compactMap { cells[$0] }
                return marks.count == 3 && Set(marks).count == 1 ? marks[0] : nil
            }
            .first
        }
    }

    /// The actions of the players.
    public enum Action: Equatable, Sendable {
        case cellTapped(row: Int, column: Int)
        case playAgainButtonTapped
        case quitButtonTapped
    }

    /// Places the current player's mark in a free cell while the game is not over.
    public func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        switch action {
        case .cellTapped(let row, let column):
            guard (0..<3).contains(row), (0..<3).contains(column), state.board[row][column] == nil,
                state.winner == nil
            else { return .none }
            state.board[row][column] = state.currentPlayer
            if state.winner == nil { state.currentPlayer = state.currentPlayer.other }
        case .playAgainButtonTapped:
            state = State(oPlayerName: state.oPlayerName, xPlayerName: state.xPlayerName)
        case .quitButtonTapped: break
        }
        return .none
    }
}

extension Game.State: JSONDescribed {
    /// The members that are encoded.
    public static var jsonShape: JSONShape {
        .members([
            "board": [[Game.Mark?]].self, "currentPlayer": Game.Mark.self, "oPlayerName": String.self,
            "xPlayerName": String.self,
        ])
    }
}

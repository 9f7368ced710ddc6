public import ComposableArchitecture

/// Three in a row.
public struct Game: ReducerProtocol {
    /// Who plays.
    public enum Mark: String, Codable, Sendable {
        case x = "X"
        case o = "O"

        var other: Mark { self == .x ? .o : .x }
    }

    /// A board, and whose turn it is.
    public struct State: Equatable, Encodable, Sendable {
        var board: [[Mark?]] = Array(repeating: Array(repeating: nil, count: 3), count: 3)
        var currentPlayer = Mark.x
        let oPlayerName: String
        let xPlayerName: String

        /// The player who has three in a row.
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

        var isFilled: Bool { board.allSatisfy { $0.allSatisfy { $0 != nil } } }
    }

    /// What can happen.
    public enum Action: Equatable, Sendable {
        case cellTapped(row: Int, column: Int)
        case playAgainButtonTapped
        case quitButtonTapped
    }

    /// Puts the mark of the player whose turn it is into a free cell of a game that goes on.
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

public import CombineCore
public import Ricemill

/// A game of tic-tac-toe for two players, who share one browser or play in two.
///
/// The game is played in one browser until a guest joins, who has a ticket for the session. From then on, the guest is player O and
/// whoever has created the session is player X. A move of the other player is refused.
public final class TicTacToeViewModel: Machine<TicTacToeViewModel> {
    /// The outputs are the properties of the store.
    public typealias Output = Store

    /// The moves of the players.
    public struct Input: InputType {
        /// Selects a field by its number; the other members are ignored. Selecting a field that is not free has no
        /// effect.
        public let handleAddress = PassthroughSubject<Address, Never>()
        /// Starts a new game.
        public let startNewGame = PassthroughSubject<Void, Never>()
        /// The guest takes the part of player O. The first move of a guest does the same.
        public let join = PassthroughSubject<Void, Never>()

        /// Creates the subjects.
        public init() {}
    }

    /// The values that the view shows.
    public final class Store: StoredOutputType {
        /// The player with three fields in a line, or `nil` if the game is not over or is a draw.
        @Published public var winner: Player?
        /// The player whose turn it is.
        @Published public var currentPlayer = Player.o
        /// The rows of the board, from the top.
        @Published public var board: [[Address]] = []
        /// Whether the game is over. A view may reset it after it has notified the players.
        @Published public var isGameEnded = false
        /// Whether player O plays in another browser.
        @Published public var isShared = false

        /// Creates a store without a game.
        public init() {}
    }

    /// The rules of the game.
    public struct Extra: ExtraType {
        let lines: Int
        let winPatterns: [[Int]]
        let isFromGuest: () -> Bool
        let refuse: (String) -> Void

        /// Creates the rules for a board of three rows of three fields. A row, a column or a diagonal wins.
        ///
        /// - Parameters:
        ///   - isFromGuest: Returns whether the input that is being run is from the guest.
        ///   - refuse: Refuses the input, with a reason for its sender.
        public init(isFromGuest: @escaping () -> Bool = { false }, refuse: @escaping (String) -> Void = { _ in }) {
            self.isFromGuest = isFromGuest
            self.refuse = refuse
            lines = 3
            winPatterns = [
                [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
            ]
        }
    }

    /// Connects the inputs to the store.
    public static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        var cancellables: [AnyCancellable] = []
        // `start` must publish a board before `judge` subscribes: the win patterns refer to nine fields, and a board
        // without fields would count as full.
        seat(input.join, store, extra, in: &cancellables)
        play(input.handleAddress, on: store, extra, in: &cancellables)
        start(input.startNewGame, store, extra, in: &cancellables)
        judge(store, extra, in: &cancellables)
        return Polished(cancellables: cancellables)
    }

    private static func seat(
        _ guests: AnyPublisher<Void, Never>, _ store: Store, _ extra: Extra, in cancellables: inout [AnyCancellable]
    ) {
        guests
            .filter {
                guard !extra.isFromGuest() else { return true }
                extra.refuse("only the holder of a ticket joins, and you are player X")
                return false
            }
            .map { true }
            .assign(to: \.isShared, on: store)
            .store(in: &cancellables)
    }

    /// Returns whether the sender of a move plays the current player; otherwise refuses it.
    private static func permitsMove(on store: Store, _ extra: Extra) -> Bool {
        if extra.isFromGuest() {
            guard store.currentPlayer == .o else {
                extra.refuse("it is the turn of player X, and you are player O")
                return false
            }
            store.isShared = true
            return true
        }
        guard !store.isShared || store.currentPlayer == .x else {
            extra.refuse("it is the turn of player O, and you are player X")
            return false
        }
        return true
    }

    // Observers see the new board before the next player, because the board is assigned first.
    private static func play(
        _ addresses: AnyPublisher<Address, Never>, on store: Store, _ extra: Extra,
        in cancellables: inout [AnyCancellable]
    ) {
        let move =
            addresses
            .filter { _ in store.winner == nil && permitsMove(on: store, extra) }
            .map { touched in board(store.board, after: store.currentPlayer, on: touched.id) }
            .share()
        move
            .assign(to: \.board, on: store)
            .store(in: &cancellables)
        move
            .map { board in
                let taken = board.joined().count { $0.player != nil }
                return taken.isMultiple(of: 2) ? Player.o : Player.x
            }
            .assign(to: \.currentPlayer, on: store)
            .store(in: &cancellables)
    }

    private static func start(
        _ startNewGame: AnyPublisher<Void, Never>, _ store: Store, _ extra: Extra,
        in cancellables: inout [AnyCancellable]
    ) {
        let start = Just(()).merge(with: startNewGame)
        start
            .map { .o }
            .assign(to: \.currentPlayer, on: store)
            .store(in: &cancellables)
        start
            .map {
                (0..<extra.lines).map { row in (0..<extra.lines).map { Address(id: row * extra.lines + $0) } }
            }
            .assign(to: \.board, on: store)
            .store(in: &cancellables)
    }

    // The check for a draw comes last: a `nil` winner sets `isGameEnded` to false, and a full board must set it to true
    // again.
    private static func judge(_ store: Store, _ extra: Extra, in cancellables: inout [AnyCancellable]) {
        store.$board
            .map { board in winner(of: board, extra.winPatterns) }
            .assign(to: \.winner, on: store)
            .store(in: &cancellables)
        store.$winner
            .map { $0 != nil }
            .assign(to: \.isGameEnded, on: store)
            .store(in: &cancellables)
        store.$board
            .filter { board in board.joined().allSatisfy { $0.player != nil } }
            .map { _ in true }
            .assign(to: \.isGameEnded, on: store)
            .store(in: &cancellables)
    }

    private static func board(_ board: [[Address]], after player: Player, on id: Int) -> [[Address]] {
        board.map { row in
            row.map { $0.id == id && $0.player == nil ? Address(id: id, player: player) : $0 }
        }
    }

    private static func winner(of board: [[Address]], _ patterns: [[Int]]) -> Player? {
        let players = board.joined().map(\.player)
        for pattern in patterns {
            let line = pattern.map { players[$0] }
            if let first = line.first, first != nil, line.allSatisfy({ $0 == first }) { return first }
        }
        return nil
    }
}

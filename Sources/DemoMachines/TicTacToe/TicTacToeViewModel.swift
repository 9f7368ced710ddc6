public import CombineCore
public import Ricemill

/// A game for two at one board. The order in which it is wired matters: the game is started before the board is looked at,
/// and who has won is told before whether the board is full.
public final class TicTacToeViewModel: Machine<TicTacToeViewModel> {
    /// The store is what a view sees.
    public typealias Output = Store

    /// What the players do.
    public struct Input: InputType {
        /// A field was touched: only its number counts. A field that somebody has changes nothing.
        public let handleAddress = PassthroughSubject<Address, Never>()
        /// Everything from the start.
        public let startNewGame = PassthroughSubject<Void, Never>()

        /// New subjects.
        public init() {}
    }

    /// What the view shows.
    public final class Store: StoredOutputType {
        /// Who has three in a line; nobody in a game that goes on or is drawn.
        @Published public var winner: Player?
        /// Whose turn it is.
        @Published public var currentPlayer = Player.o
        /// The rows, from the top.
        @Published public var board: [[Address]] = []
        /// Whether the game is over. A view that has told its players may set it back.
        @Published public var isGameEnded = false

        /// No game yet.
        public init() {}
    }

    /// The rules.
    public struct Extra: ExtraType {
        let lines: Int
        let winPatterns: [[Int]]

        /// Three fields in each of three rows; a row, a column or a diagonal wins.
        public init() {
            lines = 3
            winPatterns = [
                [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
            ]
        }
    }

    /// Wires the game.
    public static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        var cancellables: [AnyCancellable] = []
        play(input.handleAddress, on: store, in: &cancellables)
        start(input.startNewGame, store, extra, in: &cancellables)
        judge(store, extra, in: &cancellables)
        return Polished(cancellables: cancellables)
    }

    /// The board is assigned first; whose turn it is then follows from it.
    private static func play(
        _ addresses: AnyPublisher<Address, Never>, on store: Store, in cancellables: inout [AnyCancellable]
    ) {
        let move =
            addresses
            .filter { _ in store.winner == nil }
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

    /// A draw is told last: `winner` without anybody says that the game goes on, the full board that it does not.
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

import CombineCore
import DemoMachines
import Ricemill
import Testing

/// Tests of the rules of the game and of the order of its outputs.
struct TicTacToeViewModelTests {
    private let machine = TicTacToeViewModel(input: .init(), store: .init(), extra: .init())

    private func play(_ fields: Int...) {
        for field in fields { machine.input.handleAddress.send(Address(id: field)) }
    }

    private var taken: [Int] { machine.output.board.joined().filter { $0.player != nil }.map(\.id) }

    @Test func `a new machine has a new game`() {
        #expect(machine.output.board.map { $0.map(\.id) } == [[0, 1, 2], [3, 4, 5], [6, 7, 8]])
        #expect(machine.output.currentPlayer == .o)
        #expect(machine.output.winner == nil)
        #expect(!machine.output.isGameEnded)
    }

    @Test func `players take turns, O first`() {
        play(4)
        #expect(machine.output.board[1][1].player == .o)
        #expect(machine.output.currentPlayer == .x)
        play(0)
        #expect(machine.output.board[0][0].player == .x)
        #expect(machine.output.currentPlayer == .o)
    }

    @Test func `only the number of the tapped field matters`() {
        machine.input.handleAddress.send(Address(id: 2, player: .x))
        #expect(machine.output.board[0][2].player == .o)
    }

    @Test func `a taken field changes nothing, but the board is published again`() {
        play(4)
        var published = 0
        let cancellable = machine.output.$board.dropFirst().sink { _ in published += 1 }
        play(4)
        #expect(machine.output.board[1][1].player == .o)
        #expect(machine.output.currentPlayer == .x)
        #expect(published == 1)
        cancellable.cancel()
    }

    @Test func `a field that does not exist changes nothing`() {
        play(9, -1)
        #expect(taken.isEmpty)
        #expect(machine.output.currentPlayer == .o)
    }

    @Test(arguments: [[0, 3, 1, 4, 2], [0, 1, 3, 4, 6], [0, 1, 4, 2, 8], [2, 0, 4, 1, 6]])
    func `three in a row win`(moves: [Int]) {
        for field in moves { play(field) }
        #expect(machine.output.winner == .o)
        #expect(machine.output.isGameEnded)
    }

    @Test func `moves after a win are ignored`() {
        play(0, 3, 1, 4, 2, 8)
        #expect(taken == [0, 1, 2, 3, 4])
    }

    @Test func `a full board without a winner is a draw, published after the winner`() {
        var published: [Bool] = []
        play(0, 1, 2, 4, 3, 5, 7, 6)
        let cancellable = machine.output.$isGameEnded.dropFirst().sink { published.append($0) }
        play(8)
        #expect(machine.output.winner == nil)
        #expect(machine.output.isGameEnded)
        #expect(published == [false, true])
        cancellable.cancel()
    }

    @Test func `a full board with a winner is a win`() {
        play(0, 1, 2, 3, 4, 5, 7, 6, 8)
        #expect(machine.output.winner == .o)
        #expect(machine.output.isGameEnded)
    }

    @Test func `a new game clears the board`() {
        play(0, 3, 1, 4, 2)
        machine.input.startNewGame.send()
        #expect(taken.isEmpty)
        #expect(machine.output.winner == nil)
        #expect(machine.output.currentPlayer == .o)
        #expect(!machine.output.isGameEnded)
    }

    @Test func `a view can dismiss the end of the game`() {
        play(0, 3, 1, 4, 2)
        let isPresented: Binding<Bool> = machine.output.isGameEnded
        isPresented.wrappedValue = false
        #expect(!machine.output.isGameEnded)
        #expect(machine.output.winner == .o)
    }
}

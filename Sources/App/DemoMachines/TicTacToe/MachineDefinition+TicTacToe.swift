public import MachineHost
import RicemillAdapter

extension MachineDefinition {
    /// Returns the game of tic-tac-toe.
    ///
    /// Its guest is the holder of a ticket: `POST /v1/sessions/{id}/tickets {"allows":["read","write"]}`.
    ///
    /// | inputs | outputs |
    /// | --- | --- |
    /// | `handleAddress` `{"id":4}`: a move | `board`, `winner`, `isGameEnded` |
    /// | `startNewGame` | `currentPlayer`: `"o"` or `"x"` |
    /// | `join`: the guest becomes player O | `isShared`: whether player O plays in another browser |
    ///
    /// A move of the wrong player, and a `join` of anyone but a guest, gets 409 (`input-refused`) with the reason.
    ///
    /// - Throws: `MachineRegistrationError` if it cannot be hosted. The tests of the demos rule this out.
    public static func ticTacToe() throws(MachineRegistrationError) -> MachineDefinition {
        try .ricemill("tic-tac-toe", summary: "Tic-tac-toe for two players, in one browser or in two.") { context in
            TicTacToeViewModel(
                input: .init(), store: .init(),
                extra: .init(isFromGuest: { context.sender?.label != nil }, refuse: context.refuse))
        }
    }
}

/// A field of the board, and who has it.
public struct Address: Codable, Equatable, Sendable {
    /// The field's number, row by row from 0 to 8.
    public var id: Int
    /// Who has it; nobody while it is free.
    public var player: Player?

    /// A field.
    public init(id: Int, player: Player? = nil) {
        self.id = id
        self.player = player
    }
}

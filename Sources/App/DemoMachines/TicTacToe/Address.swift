/// A field of the board and its owner.
public struct Address: Codable, Equatable, Sendable {
    /// The number of the field, row by row from 0 to 8.
    public var id: Int
    /// The player who owns the field, or `nil` if it is free.
    public var player: Player?

    /// Creates a field.
    public init(id: Int, player: Player? = nil) {
        self.id = id
        self.player = player
    }
}

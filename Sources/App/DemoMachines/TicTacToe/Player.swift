/// A player.
public enum Player: String, Codable, Sendable {
    case o
    case x

    /// The other player.
    public var opponent: Player { self == .o ? .x : .o }
}

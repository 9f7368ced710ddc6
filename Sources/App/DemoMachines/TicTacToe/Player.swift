/// A player.
public enum Player: String, Codable, Sendable {
    case o
    case x
}

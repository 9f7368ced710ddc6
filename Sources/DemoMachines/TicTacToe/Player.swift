/// One of the two who play.
public enum Player: String, Codable, Sendable {
    case o
    case x

    /// The other one.
    public var opponent: Player { self == .o ? .x : .o }
}

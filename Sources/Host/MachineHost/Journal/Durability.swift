/// The greatest loss that a session, and an input that was acknowledged, survive.
public enum Durability: String, Sendable, Comparable, CaseIterable {
    /// Nothing: a session ends with its process.
    case memory
    /// The end of the process, also by a trap or a signal.
    case process
    /// The loss of power.
    case disk
    /// The loss of the node.
    case replicated

    /// Returns whether one durability is weaker than another.
    public static func < (lhs: Durability, rhs: Durability) -> Bool { lhs.rank < rhs.rank }

    private var rank: Int {
        switch self {
        case .memory: 0
        case .process: 1
        case .disk: 2
        case .replicated: 3
        }
    }
}

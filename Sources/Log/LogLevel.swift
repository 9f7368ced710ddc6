/// How much an event matters, least first.
public enum LogLevel: String, CaseIterable, Comparable, Sendable {
    /// For whoever looks for a fault.
    case debug
    /// What happens in a normal life: started, listening, drained.
    case info
    /// Something is off and the server goes on as before.
    case warning
    /// Something was lost: a session, a connection's answer.
    case error

    /// By weight.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.weight < right.weight }

    private var weight: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}

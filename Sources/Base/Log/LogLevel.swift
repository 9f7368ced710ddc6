/// The severity of an event.
public enum LogLevel: String, CaseIterable, Comparable, Sendable {
    /// Details for troubleshooting.
    case debug
    /// Normal events: started, listening, drained.
    case info
    /// A problem that does not affect service.
    case warning
    /// A loss, for example of a session or of a response.
    case error

    /// Ordered by severity.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.severity < right.severity }

    private var severity: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}

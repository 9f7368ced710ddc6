/// The progress of a connection's current step. A step is the loop's unit of work for one connection.
enum StepProgress {
    /// Not in a step. The next event starts one.
    case idle
    /// In a step.
    case running
    /// In a step that has used up its ``StepBudget``.
    case exhausted
    /// The last step used up its budget. The next one runs after those of the loop's other connections.
    case yielding

    /// Whether a step is running. It handles all events that occur meanwhile before it ends.
    var isRunning: Bool {
        switch self {
        case .running, .exhausted: true
        case .idle, .yielding: false
        }
    }

    /// Whether the connection has used up its budget and has not begun another step.
    var yields: Bool {
        switch self {
        case .exhausted, .yielding: true
        case .idle, .running: false
        }
    }

    mutating func begin() { self = .running }

    mutating func exhaust() { self = .exhausted }

    mutating func end() { self = yields ? .yielding : .idle }
}

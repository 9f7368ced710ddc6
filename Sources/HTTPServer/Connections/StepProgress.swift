/// Whether a connection is in a step, its loop's unit of work for one connection, or waits for its next one.
enum StepProgress {
    /// Not in a step. The next event starts one.
    case idle
    /// In a step.
    case running
    /// In a step that has used up its ``StepBudget``.
    case exhausted
    /// The last step used up its budget. The next one comes after those of the loop's other connections.
    case yielding

    /// Whether a step runs, which looks at everything that happens meanwhile before it ends.
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

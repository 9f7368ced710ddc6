import MachineHost

/// Why the engine has not performed a pipeline of statements.
enum PostgreSQLFailure: Error {
    /// The connection was lost, could not be opened, or leads to an engine that does not keep the promise at the moment. It is not known
    /// whether the statements were performed.
    case lost(String)
    /// Another process is connected.
    case held(String)
    /// The engine has refused a statement, and undone those before it.
    case refused(code: String, message: String)

    /// The code with which the schema's functions report that another process has taken over, or another connection of this one.
    static let fenced = "GR001"

    /// The code with which they report that another node holds a session of a batch. Nothing of the batch is stored.
    static let rejected = "GR002"

    /// Whether the journal can be used further, because only the sessions of the batch are lost.
    var isRejection: Bool {
        if case .refused(PostgreSQLFailure.rejected, _) = self { true } else { false }
    }

    /// Whether the same statements may succeed later.
    var isTemporary: Bool {
        switch self {
        case .lost, .held: true
        case .refused(let code, _):
            // Rolled back, out of resources, or ended by an operator; or the engine has become a standby.
            ["40", "53", "57"].contains { code.hasPrefix($0) } || code == "25006" || code == "55P03"
        }
    }

    /// The reason as a clause.
    var reason: String {
        switch self {
        case .lost(let reason), .held(let reason): reason
        case .refused(let code, let message): "\(message) (SQLSTATE \(code))"
        }
    }

    /// The error for the host.
    func error(_ expected: String) -> JournalError {
        JournalError(kind, "expected \(expected), got: \(reason)")
    }

    private var kind: JournalError.Kind {
        if case .held = self { return .held }
        guard case .refused(let code, _) = self else { return .inputOutput }
        if code == PostgreSQLFailure.fenced { return .held }
        if code == "42501" { return .readOnly }
        return switch code.prefix(2) {
        // A missing table, or pages that are damaged.
        case "3F", "42", "XX": .damaged
        // A batch that no journal can store, such as one with an enormous content.
        case "54", "22", "23": .unsupported
        default: .inputOutput
        }
    }
}

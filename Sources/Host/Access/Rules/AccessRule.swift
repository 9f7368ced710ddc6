/// The operation that a request performs, for the access rule of a machine.
public enum AccessOperation: Hashable, Sendable {
    /// Creates a session of a machine.
    case create(machine: String)
    /// Reads outputs, or opens a stream.
    case read
    /// Sends an input. A batch is consulted for each of its inputs.
    case input(String)
    /// Ends the session.
    case delete
    /// Issues or revokes tickets.
    case tickets

    /// The right that a ticket needs for it; nil if no ticket permits it.
    package var ticketRight: TicketRights? {
        switch self {
        case .read: .read
        case .input: .write
        case .delete: .delete
        case .create, .tickets: nil
        }
    }
}

/// The result of a rule.
public enum AccessDecision: Hashable, Sendable {
    /// The operation is permitted.
    case allow
    /// The operation gets 403, with a reason for the client.
    case deny(String)
}

/// A rule of a machine, which decides what principals may do in addition to the ownership of sessions.
///
/// It is consulted on the event loop for every operation, so it must not wait. It can deny what the owner of a session, or
/// the holder of a ticket, may do otherwise; it cannot permit access to the sessions of others.
public struct AccessRule: Sendable {
    private let body: @Sendable (Principal?, AccessOperation) -> AccessDecision

    /// Creates a rule.
    ///
    /// - Parameter decide: Receives the principal, nil for anonymous clients and holders of tickets, and the operation.
    public init(_ decide: @escaping @Sendable (_ principal: Principal?, _ operation: AccessOperation) -> AccessDecision)
    {
        body = decide
    }

    /// Returns the decision for an operation.
    public func callAsFunction(_ principal: Principal?, _ operation: AccessOperation) -> AccessDecision {
        body(principal, operation)
    }
}

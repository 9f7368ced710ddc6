public import Access

/// A client that reads a session or sends it an input, for the rule that chooses a view.
public struct Viewer: Hashable, Sendable {
    /// The principal; nil for the holder of a ticket and for a client without credentials.
    public let principal: Principal?
    /// The label of the ticket, empty if it has none; nil for a viewer without a ticket.
    public let label: String?

    /// Whether the session belongs to the viewer: to its principal or, if it has no owner, to everyone who knows its id.
    ///
    /// True for everyone except the holders of tickets, because to anyone else the session of an owner does not exist.
    public var isOwner: Bool { label == nil }

    /// Creates a viewer without a ticket, for example to test a rule.
    ///
    /// - Parameter principal: The principal; nil for a client without credentials.
    public init(_ principal: Principal?) {
        self.principal = principal
        label = nil
    }

    /// Creates the holder of a ticket.
    ///
    /// - Parameter label: The label that the owner of the session has given the ticket.
    public init(ticketLabel label: String) {
        principal = nil
        self.label = label
    }

    init(_ requester: Requester) {
        switch requester {
        case .anonymous: self.init(nil)
        case .principal(let principal, _): self.init(principal)
        case .ticket(let ticket): self.init(ticketLabel: ticket.label)
        }
    }
}

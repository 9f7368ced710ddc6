public import Access

/// The sender of the input that a turn runs.
public enum InputSender: Hashable, Sendable {
    /// A principal.
    case principal(Principal)
    /// The holder of a ticket, by the label that the owner of the session has given it; empty if it has none.
    case ticket(label: String)

    /// The principal; nil for the holder of a ticket.
    public var principal: Principal? {
        if case .principal(let principal) = self { principal } else { nil }
    }

    /// The label of the ticket; nil for a principal.
    public var label: String? {
        if case .ticket(let label) = self { label } else { nil }
    }
}

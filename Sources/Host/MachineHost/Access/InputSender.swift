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

/// The sender of a recorded turn.
enum RecordedSender: Equatable {
    /// The same as in the last turn that had one.
    // A client sends many inputs with one token, whose claims may be longer than all of them.
    case same
    case new(InputSender)

    static func == (left: RecordedSender, right: RecordedSender) -> Bool {
        switch (left, right) {
        case (.same, .same): true
        case (.new(let left), .new(let right)): InputSender.isRecordedAlike(left, right)
        case (.same, .new), (.new, .same): false
        }
    }
}

extension InputSender {
    /// Returns whether two senders are recorded with the same bytes: for machines, also the claims are the same.
    static func isRecordedAlike(_ left: InputSender?, _ right: InputSender?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (.principal(let left), .principal(let right)):
            left == right && left.expires == right.expires && left.claims.utf8.elementsEqual(right.claims.utf8)
        case (.ticket(let left), .ticket(let right)): left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }

    /// The sender of a requester's inputs; nil for a client without credentials.
    init?(_ requester: Requester) {
        switch requester {
        case .anonymous: return nil
        case .principal(let principal, _): self = .principal(principal)
        case .ticket(let ticket): self = .ticket(label: ticket.label)
        }
    }
}

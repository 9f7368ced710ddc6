import Access

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

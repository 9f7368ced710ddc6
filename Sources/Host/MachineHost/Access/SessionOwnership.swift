import Access

/// To whom a session belongs, and what it remembers of its tickets.
struct SessionOwnership: Equatable {
    /// The hash of the principal to which the session belongs; nil if everyone who knows its id may use it.
    var owner: PrincipalHash?
    var principal: Principal?
    /// The tickets that were used, and the generation of those that are valid.
    var tickets = TicketLedger()
    /// The last sender that a turn was recorded with.
    var lastSender: InputSender?

    init() {}

    init(of requester: Requester) {
        guard case .principal(let principal, let hash) = requester else { return }
        owner = hash
        self.principal = principal
    }

    static func == (left: SessionOwnership, right: SessionOwnership) -> Bool {
        left.owner == right.owner && left.tickets == right.tickets
            && InputSender.isRecordedAlike(
                left.principal.map { .principal($0) }, right.principal.map { .principal($0) })
            && InputSender.isRecordedAlike(left.lastSender, right.lastSender)
    }

    /// Applies a turn, or a change of the tickets.
    mutating func apply(_ record: TurnRecord) {
        if let tickets = record.tickets { self.tickets = tickets }
        if case .new(let sender)? = record.sender { lastSender = sender }
    }
}

// On the heap: most sessions have none, and it is larger than many of their other members together.
final class OwnedSession {
    let ownership: SessionOwnership

    /// Returns nil if there is nothing to remember.
    init?(_ ownership: SessionOwnership) {
        guard ownership != SessionOwnership() else { return nil }
        self.ownership = ownership
    }
}

extension Session {
    /// Returns how the sender of a turn is recorded.
    func record(_ sender: InputSender) -> RecordedSender {
        context.loop.assertCurrent()
        if InputSender.isRecordedAlike(ownership.lastSender, sender) { return .same }
        ownership.lastSender = sender
        return .new(sender)
    }
}

// In the journal.
extension SessionOwnership {
    var content: [UInt8] {
        var writer = RecordWriter()
        writer.append(owner?.bytes ?? [])
        writer.append(flag: principal != nil)
        if let principal { writer.append(principal) }
        writer.append(tickets)
        writer.append(flag: lastSender != nil)
        if let lastSender { writer.append(lastSender) }
        return writer.take()
    }

    init(_ content: ArraySlice<UInt8>) throws(RecordReader.Damaged) {
        var reader = RecordReader(content)
        let owner = try reader.content()
        if !owner.isEmpty {
            guard let hash = PrincipalHash(owner) else { throw RecordReader.Damaged() }
            self.owner = hash
        }
        if try reader.flag() { principal = try reader.principal() }
        tickets = try reader.tickets()
        if try reader.flag() { lastSender = try reader.sender() }
        guard reader.isAtEnd else { throw RecordReader.Damaged() }
    }
}

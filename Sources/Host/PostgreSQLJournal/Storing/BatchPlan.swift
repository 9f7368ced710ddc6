import MachineHost

/// The statements that store a batch: changes of one kind share a statement if no other change lies between them that touches the same
/// session, so that the statements lead to the same content as the changes in their order.
///
/// Performing them again leads to the same content, too. Each sets what it stores, whatever was stored before, and when they are repeated,
/// a row that is stored already is left as it is.
struct BatchPlan {
    private var groups: [ChangeGroup] = []
    /// The group of the last change of a session, a name, or the notes.
    private var last: [Touched: Int] = [:]
    /// The first group that a change may be added to.
    private var first = 0
    /// The last group of each kind.
    private var lastOfKind: [ChangeGroup.Kind: Int] = [:]
    /// The greatest number of a row or of a snapshot's last row.
    private(set) var greatestNumber: UInt64 = 0

    private enum Touched: Hashable {
        case session(StoredSessionID)
        case name(SessionName, machine: String)
        case property(String)
        case note(JournalNoteKey)
        case notes
    }

    /// - Throws: `JournalError(.unsupported)` for the number of a row that the engine cannot store.
    init(_ batch: JournalBatch) throws {
        for change in batch.changes { try add(change, batch.bytes) }
    }

    /// Returns the statements, in order.
    ///
    /// - Parameters:
    ///   - node: The process that holds the sessions which the batch creates.
    ///   - isRepeated: Whether the batch may be stored already.
    func requests(of node: Int64, isRepeated: Bool = false) -> [PostgreSQLRequest] {
        groups.flatMap { $0.requests(of: node, isRepeated: isRepeated) }
    }

    private mutating func add(_ change: JournalBatch.Change, _ bytes: [UInt8]) throws {
        switch change {
        case .append(let row):
            greatestNumber = max(greatestNumber, row.number)
            // Rows of a session are stored in any order, so one may be in the group of the one before.
            let index = group(.append, touching: .session(row.session), isRepeatable: true)
            try groups[index].append(row, bytes[row.content])
        case .store(let snapshot):
            greatestNumber = max(greatestNumber, snapshot.covers)
            try store(snapshot)
        case .update(let summary):
            let index = group(.update, touching: .session(summary.id))
            groups[index].append(summary)
        case .remove(let session):
            let index = group(.remove, touching: .session(session))
            groups[index].append(session)
        case .set(property: let name, let value):
            let index = group(.set, touching: .property(name))
            groups[index].append(property: name, value)
        case .note(let note):
            // Notes may also be removed by their time.
            first = max(first, last[.notes] ?? 0)
            let index = group(.note, touching: .note(note.key))
            groups[index].append(note)
        case .removeNotes(let time):
            first = max(first, lastOfKind[.note] ?? 0)
            let index = group(.removeNotes, touching: .notes)
            groups[index].append(until: time)
        }
    }

    private mutating func store(_ snapshot: SessionSnapshot) throws {
        let (summary, session) = (snapshot.summary, Touched.session(snapshot.summary.id))
        if let name = summary.name {
            // Another session may lose the name, and nobody knows which one.
            let (place, newest) = (Touched.name(name, machine: summary.machine), groups.count - 1)
            first = max(first, newest)
            let index = group(.store, touching: session, isAfter: last[place])
            last[place] = index
            first = index
            try groups[index].append(snapshot)
        } else {
            let index = group(.store, touching: session)
            try groups[index].append(snapshot)
        }
    }

    /// Returns the group for a change.
    ///
    /// - Parameters:
    ///   - kind: The kind of the change.
    ///   - touched: What it changes. It belongs behind the last group that does.
    ///   - isRepeatable: Whether it may also be in that group.
    ///   - former: Another group behind which it belongs.
    private mutating func group(
        _ kind: ChangeGroup.Kind, touching touched: Touched, isRepeatable: Bool = false, isAfter former: Int? = nil
    ) -> Int {
        var earliest = max(first, former.map { $0 + 1 } ?? 0)
        if let known = last[touched] { earliest = max(earliest, isRepeatable ? known : known + 1) }
        if let known = lastOfKind[kind], known >= earliest {
            last[touched] = known
            return known
        }
        groups.append(ChangeGroup(kind))
        (last[touched], lastOfKind[kind]) = (groups.count - 1, groups.count - 1)
        return groups.count - 1
    }
}

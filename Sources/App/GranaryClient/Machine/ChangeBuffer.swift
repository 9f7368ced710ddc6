/// The changes that a reader has not taken yet, up to a limit: a value without I/O.
struct ChangeBuffer<Schema: MachineSchema> {
    private let limit: Int
    private var changes: [MachineChange<Schema>] = []

    init(limit: Int) { self.limit = max(limit, 1) }

    /// Adds a change. A full buffer is emptied first, and the change becomes a snapshot: memory does not grow with a reader's
    /// delay, and the outputs of the change are current in any case.
    mutating func append(_ change: MachineChange<Schema>) {
        guard changes.count >= limit else { return changes.append(change) }
        // The reader must learn of another session.
        let session = (changes + [change]).last { change in
            if case .newSession = change.kind { true } else { false }
        }
        let kind = session?.kind ?? .snapshot
        let changed = changes.reduce(into: change.changed) { $0.formUnion($1.changed) }
        changes = [
            MachineChange(
                kind: kind, version: change.version, changed: changed, outputs: change.outputs, events: change.events)
        ]
    }

    /// Removes and returns the oldest change; nil if none exists.
    mutating func take() -> MachineChange<Schema>? { changes.isEmpty ? nil : changes.removeFirst() }
}

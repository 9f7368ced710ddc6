import HTTPModel

/// The tasks that a loop has taken out of its mailbox. Confined to the loop.
///
/// A round without enough time leaves the rest to later ones. From then on, the tasks of sources take turns. They come after the
/// others, which are the server's own, so that a source delays only sources.
// The counts of its queues are compared, because a call of `isEmpty` in another module copies a queue, here in every round.
struct LoopTasks {
    private var arrived: [Mailbox.Entry] = []
    private var position = 0
    /// Tasks without a source that earlier rounds have left.
    private var late = FairQueue<Mailbox.LoopTask>()
    /// Tasks of sources that earlier rounds have left.
    private var turns = FairQueue<Mailbox.LoopTask>()

    /// Whether earlier rounds have left tasks.
    var hasBacklog: Bool { late.count > 0 || turns.count > 0 }

    /// Whether ``takeFirst()`` may return a task.
    var hasFirst: Bool { position < arrived.count || late.count > 0 }

    /// Whether ``takeTurn()`` returns a task.
    var hasTurn: Bool { turns.count > 0 }

    mutating func take(from mailbox: Mailbox) { mailbox.popAll(into: &arrived) }

    /// Removes and returns the next task that waits for no turn; nil if there is none.
    mutating func takeFirst() -> Mailbox.LoopTask? {
        if late.count > 0, let task = late.removeFirst() { return task }
        while position < arrived.count {
            let entry = arrived[position]
            position += 1
            guard let source = entry.source, hasTurn else { return entry.task }
            turns.append(entry.task, of: source)
        }
        return nil
    }

    /// Leaves all tasks that have arrived to ``takeTurn()`` and later rounds.
    mutating func leaveRest() {
        while position < arrived.count {
            let entry = arrived[position]
            position += 1
            if let source = entry.source {
                turns.append(entry.task, of: source)
            } else {
                late.append(entry.task, of: .server)
            }
        }
        arrived.removeAll(keepingCapacity: true)
        position = 0
    }

    /// Removes and returns the task of the source whose turn it is; nil if there is none.
    mutating func takeTurn() -> Mailbox.LoopTask? { turns.removeFirst() }
}

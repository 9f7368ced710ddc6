/// The state of a machine when the sequence was created, as a change of the kind ``MachineChange/Kind/snapshot``, and then each
/// change, in order. Iterate it once: each use of ``RemoteMachine/changes`` returns another sequence.
///
/// A reader that is too slow gets the latest state as one change of the kind ``MachineChange/Kind/snapshot``, in place of
/// more than ``ClientConfiguration/maxBufferedChanges`` changes. The sequence ends when the session has ended or the machine
/// was closed. It retains the machine.
public struct MachineChanges<Schema: MachineSchema>: AsyncSequence, Sendable {
    /// The elements.
    public typealias Element = MachineChange<Schema>
    /// The sequence does not fail; the status of the machine has the reason of its end.
    public typealias Failure = Never

    let machine: RemoteMachine<Schema>
    let subscription: ChangeSubscription<Schema>

    /// Starts an iteration.
    public func makeAsyncIterator() -> Iterator { Iterator(machine: machine, subscription: subscription) }

    /// An iteration.
    public struct Iterator: AsyncIteratorProtocol {
        let machine: RemoteMachine<Schema>
        let subscription: ChangeSubscription<Schema>

        /// Returns the next change; nil after the end of the session, or when the task is cancelled.
        public mutating func next() async -> MachineChange<Schema>? { await subscription.next() }

        /// Returns the next change; nil after the end of the session, or when the task is cancelled.
        public mutating func next(isolation: isolated (any Actor)?) async -> MachineChange<Schema>? {
            await subscription.next()
        }
    }
}

/// The changes for one sequence.
@MainActor
final class ChangeSubscription<Schema: MachineSchema> {
    private var buffer: ChangeBuffer<Schema>
    private var isFinished = false
    private var reader: CheckedContinuation<MachineChange<Schema>?, Never>?

    init(limit: Int) { buffer = ChangeBuffer(limit: limit) }

    func send(_ change: MachineChange<Schema>) {
        guard let reader else { return buffer.append(change) }
        self.reader = nil
        reader.resume(returning: change)
    }

    func finish() {
        isFinished = true
        reader?.resume(returning: nil)
        reader = nil
    }

    func next() async -> MachineChange<Schema>? {
        if let change = buffer.take() { return change }
        guard !isFinished, !Task.isCancelled else { return nil }
        // A second reader of one iterator would wait forever otherwise.
        reader?.resume(returning: nil)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: nil) }
                reader = continuation
            }
        } onCancel: {
            Task { @MainActor in
                self.reader?.resume(returning: nil)
                self.reader = nil
            }
        }
    }
}

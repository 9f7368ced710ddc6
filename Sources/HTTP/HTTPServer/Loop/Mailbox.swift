import HTTPModel
import Synchronization

/// Tasks that other threads have queued for a loop: a lock-free stack that the loop empties as a whole.
final class Mailbox: Sendable {
    typealias LoopTask = @Sendable () -> Void

    /// A task, and the source with which it takes turns; nil if it takes none.
    typealias Entry = (task: LoopTask, source: WorkSource?)

    /// Owned by the pushing thread until it is on the stack, and by the thread that empties the stack afterwards.
    /// Therefore no two threads access `next` at the same time.
    private final class Node {
        let task: LoopTask
        let source: WorkSource?
        var next: UInt = 0

        init(_ task: @escaping LoopTask, of source: WorkSource?) {
            self.task = task
            self.source = source
        }
    }

    /// The value of `top` once the mailbox is closed. No reference has these bits.
    private static let closed: UInt = 1

    /// The node pushed last, as the bits of a retained reference; 0 if the mailbox is empty.
    private let top = Atomic<UInt>(0)

    /// Whether no task is waiting.
    var isEmpty: Bool { top.load(ordering: .sequentiallyConsistent) == 0 }

    /// Pushes a task, from any thread. A closed mailbox releases it instead.
    func push(_ task: @escaping LoopTask, of source: WorkSource? = nil) {
        let node = Node(task, of: source)
        let pointer = Unmanaged.passRetained(node).toOpaque()
        // No ABA problem: nodes are never popped one by one, only as a whole, so a `top` that has not changed since it
        // was read still has the same nodes below it.
        let bits = UInt(bitPattern: pointer)
        node.next = top.load(ordering: .relaxed)
        while true {
            guard node.next != Mailbox.closed else { return Unmanaged<Node>.fromOpaque(pointer).release() }
            let (exchanged, original) = top.weakCompareExchange(
                expected: node.next, desired: bits, ordering: .sequentiallyConsistent)
            if exchanged { return }
            node.next = original
        }
    }

    /// Removes all tasks, in the order in which they were pushed.
    func popAll(into tasks: inout [Entry]) {
        // A load is much cheaper than an exchange, and most rounds find nothing.
        guard !isEmpty else { return }
        empty(top.exchange(0, ordering: .sequentiallyConsistent), into: &tasks)
    }

    /// Releases all tasks, and every task that is pushed later. A task that refers to the loop would otherwise keep the
    /// loop alive as long as the task is in its mailbox.
    func close() {
        var abandoned: [Entry] = []
        empty(top.exchange(Mailbox.closed, ordering: .sequentiallyConsistent), into: &abandoned)
    }

    private func empty(_ top: UInt, into tasks: inout [Entry]) {
        let start = tasks.count
        var bits = top == Mailbox.closed ? 0 : top
        while let pointer = UnsafeRawPointer(bitPattern: bits) {
            let node = Unmanaged<Node>.fromOpaque(pointer).takeRetainedValue()
            tasks.append((node.task, node.source))
            bits = node.next
        }
        tasks[start...].reverse()
    }

    deinit {
        close()
    }
}

import Synchronization

/// What other threads want run on a loop: a stack without a lock, which its loop empties as a whole.
final class Mailbox: Sendable {
    typealias LoopTask = @Sendable () -> Void

    /// Belongs to whoever puts it in until it is on the stack, and to whoever takes the stack from then on; so `next`
    /// is never touched by two threads.
    private final class Node {
        let work: LoopTask
        var next: UInt = 0

        init(_ work: @escaping LoopTask) { self.work = work }
    }

    /// What stands in the place of letters once the box is closed; no reference has these bits.
    private static let closed: UInt = 1

    /// The letter that was put in last, as the bits of a retained reference; 0 for none.
    private let top = Atomic<UInt>(0)

    /// Whether there is nothing in it.
    var isEmpty: Bool { top.load(ordering: .sequentiallyConsistent) == 0 }

    /// Puts work in, from any thread. Once the box is closed it is let go of instead.
    func push(_ work: @escaping LoopTask) {
        let node = Node(work)
        let pointer = Unmanaged.passRetained(node).toOpaque()
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

    /// Takes out all there is, in the order in which it was put in.
    func popAll(into works: inout [LoopTask]) {
        guard !isEmpty else { return }
        empty(top.exchange(0, ordering: .sequentiallyConsistent), into: &works)
    }

    /// Lets go of all there is and of all that will come. Work that refers to the loop would keep it alive for ever if it
    /// stayed in its mailbox.
    func close() {
        var abandoned: [LoopTask] = []
        empty(top.exchange(Mailbox.closed, ordering: .sequentiallyConsistent), into: &abandoned)
    }

    private func empty(_ top: UInt, into works: inout [LoopTask]) {
        let start = works.count
        var bits = top == Mailbox.closed ? 0 : top
        while let pointer = UnsafeRawPointer(bitPattern: bits) {
            let node = Unmanaged<Node>.fromOpaque(pointer).takeRetainedValue()
            works.append(node.work)
            bits = node.next
        }
        works[start...].reverse()
    }

    deinit {
        close()
    }
}

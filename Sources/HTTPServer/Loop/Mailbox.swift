import Synchronization

/// What other threads want run on a loop: a stack without a lock, which its loop empties as a whole.
final class Mailbox: Sendable {
    typealias Work = @Sendable () -> Void

    /// Belongs to whoever puts it in until it is on the stack, and to whoever takes the stack from then on; so `next`
    /// is never touched by two threads.
    private final class Letter {
        let work: Work
        var next: UInt = 0

        init(_ work: @escaping Work) { self.work = work }
    }

    /// What stands in the place of letters once the box is closed; no reference has these bits.
    private static let closed: UInt = 1

    /// The letter that was put in last, as the bits of a retained reference; 0 for none.
    private let top = Atomic<UInt>(0)

    /// Whether there is nothing in it.
    var isEmpty: Bool { top.load(ordering: .sequentiallyConsistent) == 0 }

    /// Puts work in, from any thread. Once the box is closed it is let go of instead.
    func put(_ work: @escaping Work) {
        let letter = Letter(work)
        let pointer = Unmanaged.passRetained(letter).toOpaque()
        let bits = UInt(bitPattern: pointer)
        letter.next = top.load(ordering: .relaxed)
        while true {
            guard letter.next != Mailbox.closed else { return Unmanaged<Letter>.fromOpaque(pointer).release() }
            let (exchanged, original) = top.weakCompareExchange(
                expected: letter.next, desired: bits, ordering: .sequentiallyConsistent)
            if exchanged { return }
            letter.next = original
        }
    }

    /// Takes out all there is, in the order in which it was put in.
    func take(into works: inout [Work]) {
        guard !isEmpty else { return }
        empty(top.exchange(0, ordering: .sequentiallyConsistent), into: &works)
    }

    /// Lets go of all there is and of all that will come. Work that refers to the loop would keep it alive for ever if it
    /// stayed in its mailbox.
    func close() {
        var abandoned: [Work] = []
        empty(top.exchange(Mailbox.closed, ordering: .sequentiallyConsistent), into: &abandoned)
    }

    private func empty(_ top: UInt, into works: inout [Work]) {
        let start = works.count
        var bits = top == Mailbox.closed ? 0 : top
        while let pointer = UnsafeRawPointer(bitPattern: bits) {
            let letter = Unmanaged<Letter>.fromOpaque(pointer).takeRetainedValue()
            works.append(letter.work)
            bits = letter.next
        }
        works[start...].reverse()
    }

    deinit {
        close()
    }
}

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

    /// The letter that was put in last, as the bits of a retained reference; 0 for none.
    private let top = Atomic<UInt>(0)

    /// Whether there is nothing in it.
    var isEmpty: Bool { top.load(ordering: .sequentiallyConsistent) == 0 }

    /// Puts work in, from any thread.
    func put(_ work: @escaping Work) {
        let letter = Letter(work)
        let bits = UInt(bitPattern: Unmanaged.passRetained(letter).toOpaque())
        letter.next = top.load(ordering: .relaxed)
        while true {
            let (exchanged, original) = top.weakCompareExchange(
                expected: letter.next, desired: bits, ordering: .sequentiallyConsistent)
            if exchanged { return }
            letter.next = original
        }
    }

    /// Takes out all there is, in the order in which it was put in.
    func take(into works: inout [Work]) {
        guard !isEmpty else { return }
        let start = works.count
        var bits = top.exchange(0, ordering: .sequentiallyConsistent)
        while let pointer = UnsafeRawPointer(bitPattern: bits) {
            let letter = Unmanaged<Letter>.fromOpaque(pointer).takeRetainedValue()
            works.append(letter.work)
            bits = letter.next
        }
        works[start...].reverse()
    }

    deinit {
        var abandoned: [Work] = []
        take(into: &abandoned)
    }
}

public import Synchronization

/// A recursive one-word lock that serializes deliveries and remembers one request to clean up.
///
/// A thread holds a gate *while it calls out*, so the gate is recursive: the thread inside may enter again. A thread
/// that must not wait for the delivery in progress, for example to cancel, leaves a mark instead. The thread that
/// leaves the gate last finds the mark and cleans up.
@frozen
public struct Gate: ~Copyable {
    /// The identity of the thread inside, combined with the two flags below; 0 if the gate is free.
    // One word, so that a single compare-and-exchange decides both who is inside and who cleans up. With a separate
    // flag, a thread could set the mark just after the holder had looked for it, and nobody would clean up.
    @usableFromInline let word: AtomicProperty<UInt>

    @inlinable static var sleepers: UInt { 1 }
    @inlinable static var mark: UInt { 2 }

    /// Creates a free gate.
    @inlinable
    public init() {
        word = AtomicProperty(0)
    }

    /// Waits until the gate is free or held by the calling thread.
    ///
    /// - Returns: Whether this is the outermost entry. Only then must the caller call ``leave()``.
    @inlinable
    public borrowing func enter() -> Bool {
        let thread = ThreadIdentity.current
        let (exchanged, found) = word.atomic.compareExchange(
            expected: 0, desired: thread, ordering: .sequentiallyConsistent)
        if exchanged { return true }
        // Only this thread ever writes its own identity, so a match cannot be out of date.
        if found & ~3 == thread { return false }
        enterContended(thread)
        return true
    }

    /// Ends the outermost entry.
    ///
    /// - Returns: Whether a thread left a mark since the gate was entered.
    @inlinable
    public borrowing func leave() -> Bool {
        let found = word.atomic.exchange(0, ordering: .sequentiallyConsistent)
        // After the exchange another thread may already have released the object that contains this gate. `wake()` uses
        // the address of the word only as a key.
        if found & Gate.sleepers != 0 { wake() }
        return found & Gate.mark != 0
    }

    /// Enters without waiting. If another thread is inside, leaves a mark for it instead.
    @inlinable
    public borrowing func enterOrMark() -> Passage {
        let thread = ThreadIdentity.current
        var found: UInt = 0
        while true {
            let desired = found == 0 ? thread : found | Gate.mark
            let (exchanged, original) = word.atomic.compareExchange(
                expected: found, desired: desired, ordering: .sequentiallyConsistent)
            if exchanged { return found == 0 ? .outermost : .refused }
            if original & ~3 == thread { return .nested }
            found = original
        }
    }

    /// The result of an attempt to enter without waiting.
    @frozen
    public enum Passage: Sendable {
        /// The caller is inside and must call ``leave()``.
        case outermost
        /// The caller was inside already.
        case nested
        /// Another thread is inside and will find the mark.
        case refused
    }

    /// Leaves a mark for the thread that is inside, which may be the calling thread.
    ///
    /// - Returns: Whether a thread is inside. If not, no mark is left, and the caller must clean up itself.
    @inlinable
    public borrowing func leaveMark() -> Bool {
        var found = word.atomic.load(ordering: .sequentiallyConsistent)
        while found != 0 {
            let (exchanged, original) = word.atomic.compareExchange(
                expected: found, desired: found | Gate.mark, ordering: .sequentiallyConsistent)
            if exchanged { return true }
            found = original
        }
        return false
    }

    @usableFromInline
    borrowing func enterContended(_ thread: UInt) {
        let space = ParkingLot.space(for: word.atomic.storageAddress)
        space.lock()
        // Flagging the word and going to sleep happen under the mutex of the parking space. `wakeAll(at:)` takes the
        // same mutex, so no wake-up is lost between the two.
        while !acquireOrFlag(thread) {
            space.wait()
        }
        space.unlock()
    }

    /// Acquires the gate, or flags the word of its holder.
    private borrowing func acquireOrFlag(_ thread: UInt) -> Bool {
        var found = word.atomic.load(ordering: .sequentiallyConsistent)
        while true {
            // The flag stays set on acquisition: other threads may still be asleep, and this one has no way to know.
            let desired = found == 0 ? thread | Gate.sleepers : found | Gate.sleepers
            let (exchanged, original) = word.atomic.compareExchange(
                expected: found, desired: desired, ordering: .sequentiallyConsistent)
            if exchanged { return found == 0 }
            found = original
        }
    }

    @usableFromInline
    borrowing func wake() {
        ParkingLot.wakeAll(at: word.atomic.storageAddress)
    }
}

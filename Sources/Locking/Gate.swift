public import Synchronization

/// A recursive one-word lock that serialises what is delivered through it, and remembers one request to clean up.
///
/// A gate is held *while calling out*, so it is recursive: the thread inside may enter again. Somebody who must not
/// wait for the delivery in progress (a cancellation) leaves a mark instead; the thread that leaves the gate last is
/// told about the mark and cleans up.
@frozen
public struct Gate: ~Copyable {
    /// The identity of the thread inside, plus the two flags below; 0 when nobody is inside.
    @usableFromInline let word: Atomic<UInt>

    @inlinable static var sleepers: UInt { 1 }
    @inlinable static var mark: UInt { 2 }

    /// Makes a gate that nobody is inside of.
    @inlinable
    public init() {
        word = Atomic(0)
    }

    /// Waits until the gate is free or held by the calling thread.
    ///
    /// - Returns: Whether this is the outermost entry: then, and only then, the caller has to ``leave()``.
    @inlinable
    public borrowing func enter() -> Bool {
        let thread = ThreadIdentity.current
        let (exchanged, found) = word.compareExchange(
            expected: 0, desired: thread, ordering: .sequentiallyConsistent)
        if exchanged { return true }
        if found & ~3 == thread { return false }
        enterContended(thread)
        return true
    }

    /// Ends the outermost entry.
    ///
    /// - Returns: Whether somebody left a mark since the gate was entered.
    @inlinable
    public borrowing func leave() -> Bool {
        let found = word.exchange(0, ordering: .sequentiallyConsistent)
        if found & Gate.sleepers != 0 { wake() }
        return found & Gate.mark != 0
    }

    /// Enters without waiting; if another thread is inside, leaves a mark for it instead.
    @inlinable
    public borrowing func enterOrMark() -> Passage {
        let thread = ThreadIdentity.current
        var found: UInt = 0
        while true {
            let desired = found == 0 ? thread : found | Gate.mark
            let (exchanged, original) = word.compareExchange(
                expected: found, desired: desired, ordering: .sequentiallyConsistent)
            if exchanged { return found == 0 ? .outermost : .refused }
            if original & ~3 == thread { return .nested }
            found = original
        }
    }

    /// What came of an attempt to enter without waiting.
    @frozen
    public enum Passage: Sendable {
        /// The caller is inside and has to ``leave()``.
        case outermost
        /// The caller had been inside already.
        case nested
        /// Another thread is inside, and will find a mark.
        case refused
    }

    /// Leaves a mark for the thread that is inside, which may be the calling one.
    ///
    /// - Returns: Whether anybody is inside; if not, there is no mark and the caller cleans up on its own.
    @inlinable
    public borrowing func leaveMark() -> Bool {
        var found = word.load(ordering: .sequentiallyConsistent)
        while found != 0 {
            let (exchanged, original) = word.compareExchange(
                expected: found, desired: found | Gate.mark, ordering: .sequentiallyConsistent)
            if exchanged { return true }
            found = original
        }
        return false
    }

    @usableFromInline
    borrowing func enterContended(_ thread: UInt) {
        let space = ParkingLot.space(for: word.storageAddress)
        space.lock()
        while !acquireOrFlag(thread) {
            space.wait()
        }
        space.unlock()
    }

    /// Takes the gate with the flag for sleepers set, since others may sleep on; or flags the holder's word.
    private borrowing func acquireOrFlag(_ thread: UInt) -> Bool {
        var found = word.load(ordering: .sequentiallyConsistent)
        while true {
            let desired = found == 0 ? thread | Gate.sleepers : found | Gate.sleepers
            let (exchanged, original) = word.compareExchange(
                expected: found, desired: desired, ordering: .sequentiallyConsistent)
            if exchanged { return found == 0 }
            found = original
        }
    }

    @usableFromInline
    borrowing func wake() {
        ParkingLot.wakeAll(at: word.storageAddress)
    }
}

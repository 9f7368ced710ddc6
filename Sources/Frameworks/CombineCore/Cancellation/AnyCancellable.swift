public import Locking

/// A token that stops an activity when it is cancelled, and at the latest when it is deallocated.
///
/// It releases its references as soon as the activity has been stopped. Equality is identity. `cancel` may be called
/// from any thread.
public final class AnyCancellable: Cancellable, Hashable {
    @usableFromInline let lock = WordLock()
    // Guarded by `lock`; an empty closure once cancelled. Not optional: an optional closure is copied and destroyed
    // through the value witnesses of its type, a plain one by its reference count.
    @exclusivity(unchecked) @usableFromInline var action: () -> Void

    /// Creates a token that runs `cancel` once.
    @inlinable
    public init(_ cancel: @escaping () -> Void) {
        action = cancel
    }

    /// Creates a token that stops `canceller`.
    @inlinable
    public init<C: Cancellable>(_ canceller: C) {
        action = { canceller.cancel() }
    }

    deinit {
        // Without the lock: no other thread has a reference any more.
        action()
    }

    /// Stops the activity unless it has been stopped already.
    public func cancel() {
        let former = lock.withLock {
            let taken = action
            action = {}
            return taken
        }
        // Outside the lock, since the closure is foreign code and may cancel this token again.
        former()
    }

    /// Returns whether both are the same token.
    public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool {
        lhs === rhs
    }

    /// Hashes the identity of the token.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension AnyCancellable {
    /// Stores this token in `collection`.
    @inlinable
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        collection.append(self)
    }

    /// Stores this token in `set`.
    @inlinable
    public func store(in set: inout Set<AnyCancellable>) {
        set.insert(self)
    }
}

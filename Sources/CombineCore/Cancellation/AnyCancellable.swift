public import Locking

/// A token that stops an activity when it is told to, and at the latest when it goes away.
///
/// Whatever it holds is let go of as soon as the activity has been stopped. Equality is identity. `cancel` may be
/// called from any thread.
public final class AnyCancellable: Cancellable, Hashable {
    @usableFromInline let lock = WordLock()
    /// Guarded by `lock`; does nothing once cancelled. An optional function would be copied and destroyed by way of its
    /// type's table, this one is by a count.
    @exclusivity(unchecked) @usableFromInline var action: () -> Void

    /// Makes a token that runs `cancel` once.
    @inlinable
    public init(_ cancel: @escaping () -> Void) {
        action = cancel
    }

    /// Makes a token that stops `canceller`.
    @inlinable
    public init<C: Cancellable>(_ canceller: C) {
        action = { canceller.cancel() }
    }

    deinit {
        stayOutOfClients()
        action()
    }

    /// Stops the activity, unless that has been done.
    public func cancel() {
        let former = lock.withLock {
            let taken = action
            action = {}
            return taken
        }
        former()
    }

    /// Whether both are the same token.
    public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool {
        lhs === rhs
    }

    /// Hashes the token's identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension AnyCancellable {
    /// Keeps this token in `collection`.
    @inlinable
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        collection.append(self)
    }

    /// Keeps this token in `set`.
    @inlinable
    public func store(in set: inout Set<AnyCancellable>) {
        set.insert(self)
    }
}

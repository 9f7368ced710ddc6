/// An activity that can be stopped.
public protocol Cancellable {
    /// Stops the activity and releases its resources. Further calls have no effect.
    func cancel()
}

extension Cancellable {
    /// Stores a token for this activity in `collection`. The token cancels the activity when it is deallocated.
    @inlinable
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        collection.append(AnyCancellable(self))
    }

    /// Stores a token for this activity in `set`. The token cancels the activity when it is deallocated.
    @inlinable
    public func store(in set: inout Set<AnyCancellable>) {
        set.insert(AnyCancellable(self))
    }
}

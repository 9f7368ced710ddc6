/// An activity that can be stopped.
public protocol Cancellable {
    /// Stops the activity and frees what it holds; further calls do nothing.
    func cancel()
}

extension Cancellable {
    /// Keeps this activity alive in `collection`, by a token that cancels it when the token goes away.
    @inlinable
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        collection.append(AnyCancellable(self))
    }

    /// Keeps this activity alive in `set`, by a token that cancels it when the token goes away.
    @inlinable
    public func store(in set: inout Set<AnyCancellable>) {
        set.insert(AnyCancellable(self))
    }
}

extension Store {
    /// The state as a publisher, which begins with the current one. Its members are publishers without repeated values:
    /// `store.publisher.name`.
    public var publisher: StorePublisher<State> { StorePublisher($state) }

    /// Sends an action. The animation has no effect: the client decides how it shows changes.
    @discardableResult
    public func send(_ action: Action, animation: Animation?) -> StoreTask {
        send(action)
    }

    /// Sends an action. The transaction has no effect: the client decides how it shows changes.
    @discardableResult
    public func send(_ action: Action, transaction: Transaction) -> StoreTask {
        send(action)
    }
}

extension Store: Equatable {
    /// Returns whether both are the same store.
    public static func == (first: Store, second: Store) -> Bool { first === second }
}

extension Store: Hashable {
    /// Hashes the identity of the store.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension Store: Identifiable {}

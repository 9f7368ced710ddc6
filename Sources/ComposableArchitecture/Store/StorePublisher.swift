public import CombineCore

/// The states of a store, as a publisher that leads to publishers of their properties.
///
/// `viewStore.publisher.count` delivers the counts, each once as long as it does not change.
@dynamicMemberLookup
public struct StorePublisher<State>: Publisher {
    /// The states.
    public typealias Output = State
    /// A store cannot fail.
    public typealias Failure = Never

    /// Where the states come from.
    public let upstream: AnyPublisher<State, Never>
    /// What is kept alive by whoever listens.
    private let owner: AnyObject?

    init<P: Publisher>(_ upstream: P, owner: AnyObject? = nil) where P.Output == State, P.Failure == Never {
        self.upstream = upstream.eraseToAnyPublisher()
        self.owner = owner
    }

    /// Attaches `subscriber`, which gets the current state first.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == State, S.Failure == Never {
        guard let owner else { return upstream.receive(subscriber: subscriber) }
        upstream
            .map { state in withExtendedLifetime(owner) { state } }
            .receive(subscriber: subscriber)
    }

    /// The values of a property, without repetitions.
    public subscript<LocalState: Equatable>(
        dynamicMember keyPath: KeyPath<State, LocalState>
    ) -> StorePublisher<LocalState> {
        StorePublisher<LocalState>(upstream.map(keyPath).removeDuplicates(), owner: owner)
    }
}

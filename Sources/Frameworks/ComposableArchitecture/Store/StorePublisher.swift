public import CombineCore

/// A publisher of a store's state, with key path access to publishers of its properties.
///
/// `viewStore.publisher.count` publishes the property `count` whenever it changes.
@dynamicMemberLookup
public struct StorePublisher<State>: Publisher {
    /// The state.
    public typealias Output = State
    /// A store cannot fail.
    public typealias Failure = Never

    /// The upstream publisher of states.
    public let upstream: AnyPublisher<State, Never>
    /// An object that subscriptions keep alive.
    private let owner: AnyObject?

    init<P: Publisher>(_ upstream: P, owner: AnyObject? = nil) where P.Output == State, P.Failure == Never {
        self.upstream = upstream.eraseToAnyPublisher()
        self.owner = owner
    }

    /// Attaches `subscriber`, which receives the current state first.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == State, S.Failure == Never {
        guard let owner else { return upstream.receive(subscriber: subscriber) }
        upstream
            .map { state in withExtendedLifetime(owner) { state } }
            .receive(subscriber: subscriber)
    }

    /// A publisher of a property, without repeated values.
    public subscript<LocalState: Equatable>(
        dynamicMember keyPath: KeyPath<State, LocalState>
    ) -> StorePublisher<LocalState> {
        StorePublisher<LocalState>(upstream.map(keyPath).removeDuplicates(), owner: owner)
    }
}

/// A publisher that is made anew for every subscriber.
@frozen
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    /// The values are those of the publishers that are made.
    public typealias Output = DeferredPublisher.Output
    /// Fails as the publisher that is made does.
    public typealias Failure = DeferredPublisher.Failure

    /// Makes the publisher for a subscriber.
    public let createPublisher: () -> DeferredPublisher

    /// Makes the publisher; `createPublisher` runs for each subscriber.
    @inlinable
    public init(createPublisher: @escaping () -> DeferredPublisher) {
        self.createPublisher = createPublisher
    }

    /// Attaches `subscriber` to a new publisher.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
        createPublisher().receive(subscriber: subscriber)
    }
}

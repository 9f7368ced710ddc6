/// A publisher that creates a new publisher for each subscriber.
@frozen
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    /// The output type of the created publishers.
    public typealias Output = DeferredPublisher.Output
    /// The failure type of the created publishers.
    public typealias Failure = DeferredPublisher.Failure

    /// The closure that creates the publisher for a subscriber.
    public let createPublisher: () -> DeferredPublisher

    /// Creates the publisher. `createPublisher` runs for each subscriber.
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

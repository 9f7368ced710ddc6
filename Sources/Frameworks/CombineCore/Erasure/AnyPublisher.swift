/// A type-erased publisher.
@frozen
public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible,
    CustomPlaygroundDisplayConvertible
{
    /// The closure that attaches a subscriber.
    // Created where the type of the publisher is known, so that the chain behind it stays specialized.
    @usableFromInline let attach: (AnySubscriber<Output, Failure>) -> Void

    /// Erases the type of `publisher`. A publisher that is already erased is used directly.
    @inlinable
    public init<P: Publisher>(_ publisher: P) where Output == P.Output, Failure == P.Failure {
        if P.self == AnyPublisher<Output, Failure>.self {
            // The comparison above proves the types equal; a conditional cast would repeat that more slowly.
            attach = unsafeBitCast(publisher, to: AnyPublisher<Output, Failure>.self).attach
        } else if P.self is any ChainablePublisher.Type {
            // Chains of concatenations are released level by level; see ``ChainedPublisher``.
            let holder = ChainedPublisher(publisher)
            attach = { holder.publisher?.receive(subscriber: $0) }
        } else {
            attach = { publisher.receive(subscriber: $0) }
        }
    }

    /// Attaches `subscriber` to the erased publisher.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
        attach(AnySubscriber(subscriber))
    }

    /// The name of the type without its parameters.
    public var description: String { "AnyPublisher" }

    /// Same as ``description``.
    public var playgroundDescription: Any { description }
}

extension Publisher {
    /// Erases the type of this publisher, so that it does not appear in interfaces.
    @inlinable
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
        AnyPublisher(self)
    }
}

/// A publisher whose type is hidden.
@frozen
public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible,
    CustomPlaygroundDisplayConvertible
{
    /// Made where the type of the publisher was known, so that the chain behind it stays specialised.
    @usableFromInline let attach: (AnySubscriber<Output, Failure>) -> Void

    /// Hides the type of `publisher`; one that is hidden already is taken as it is.
    @inlinable
    public init<P: Publisher>(_ publisher: P) where Output == P.Output, Failure == P.Failure {
        if P.self == AnyPublisher<Output, Failure>.self {
            attach = unsafeBitCast(publisher, to: AnyPublisher<Output, Failure>.self).attach
        } else if P.self is any ChainablePublisher.Type {
            let holder = ChainedPublisher(publisher)
            attach = { holder.publisher?.receive(subscriber: $0) }
        } else {
            attach = { publisher.receive(subscriber: $0) }
        }
    }

    /// Attaches `subscriber` to the hidden publisher.
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
    /// Hides the type of this publisher, so that it does not show in interfaces.
    @inlinable
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
        AnyPublisher(self)
    }
}

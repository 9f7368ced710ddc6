public import Synchronization

/// A publisher that delivers one value and finishes.
@frozen
public struct Just<Output>: Publisher {
    /// There is nothing that could fail.
    public typealias Failure = Never

    /// The value that every subscriber gets.
    public let output: Output

    /// Makes a publisher of `output`.
    @inlinable
    public init(_ output: Output) {
        self.output = output
    }

    /// Attaches `subscriber`, which gets the value and the completion as soon as it asks.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        subscriber.receive(subscription: OneValueConduit(output, subscriber))
    }
}

extension Just: Equatable where Output: Equatable {}

/// Delivers one value and the completion on the first request.
@usableFromInline
final class OneValueConduit<Downstream: Subscriber>: Conduit {
    @usableFromInline let isOver = Atomic<Bool>(false)
    /// Taken by whoever sets `isOver`.
    @exclusivity(unchecked) @usableFromInline var parts: (output: Downstream.Input, downstream: Downstream)?

    @inlinable
    init(_ output: Downstream.Input, _ downstream: Downstream) {
        parts = (output, downstream)
        super.init { unsafeDowncast($0, to: OneValueConduit<Downstream>.self).handle($1) }
    }

    @usableFromInline deinit {
        stayOutOfClients()
    }

    @inlinable
    func handle(_ command: Command) {
        if case .request(let demand) = command { demand.requireSome() }
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing), let (output, downstream) = parts else { return }
        parts = nil
        if case .request = command {
            _ = downstream.receive(output)
            downstream.receive(completion: .finished)
        }
    }
}

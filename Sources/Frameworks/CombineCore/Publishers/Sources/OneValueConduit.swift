public import Locking
public import Synchronization

/// A conduit that delivers one value and the completion on the first request.
///
/// `Source` is the type of the publisher, whose name the subscription shows.
@usableFromInline
final class OneValueConduit<Source, Output, Downstream: Subscriber>: Conduit where Downstream.Input == Output {
    // Two flags instead of a gate: there is a single delivery, and the exchange of `isOver` decides which thread makes
    // it.
    @usableFromInline let isOver = AtomicProperty<Bool>(false)
    /// Whether the subscription was cancelled. A cancellation from inside the delivery of the value suppresses the
    /// completion.
    @usableFromInline let isCancelled = AtomicProperty<Bool>(false)
    @usableFromInline let output: Output
    // Used only by the thread that sets `isOver`, so every access is exclusive.
    @exclusivity(unchecked) @usableFromInline var downstream: HeldSubscriber<Downstream>

    @inlinable
    init(_ output: Output, _ downstream: Downstream) {
        self.output = output
        self.downstream = HeldSubscriber(downstream)
        super.init { unsafeDowncast($0, to: OneValueConduit<Source, Output, Downstream>.self).handle($1) }
    }

    @inlinable
    func handle(_ command: Command) {
        if case .request(let demand) = command {
            demand.requirePositive()
        } else {
            isCancelled.atomic.store(true, ordering: .releasing)
        }
        guard !isOver.atomic.exchange(true, ordering: .acquiringAndReleasing), let subscriber = downstream.subscriber
        else {
            return
        }
        // Breaks the cycle between the subscriber and its subscription. The local reference keeps the subscriber alive
        // for the delivery.
        downstream.object = nil
        if case .request = command {
            _ = subscriber.receive(output)
            if !isCancelled.atomic.load(ordering: .acquiring) { subscriber.receive(completion: .finished) }
        }
    }

    @usableFromInline override var description: String {
        LinkName.of(Source.self)
    }

    /// A mirror with the value as an unlabelled child, until it has been delivered.
    @usableFromInline override var customMirror: Mirror {
        mirror(isOver.atomic.load(ordering: .acquiring) ? [] : [(nil, output)])
    }
}

public import Synchronization

/// Delivers one value and the completion on the first request.
///
/// `Source` is the type of the publisher, after which the subscription is called.
@usableFromInline
final class OneValueConduit<Source, Output, Downstream: Subscriber>: Conduit where Downstream.Input == Output {
    @usableFromInline let isOver = Atomic<Bool>(false)
    /// Keeps back the completion when the value's receiver has cancelled.
    @usableFromInline let isCancelled = Atomic<Bool>(false)
    @usableFromInline let output: Output
    /// Let go of by whoever sets `isOver`.
    @exclusivity(unchecked) @usableFromInline var downstream: HeldSubscriber<Downstream>

    @inlinable
    init(_ output: Output, _ downstream: Downstream) {
        self.output = output
        self.downstream = HeldSubscriber(downstream)
        super.init { unsafeDowncast($0, to: OneValueConduit<Source, Output, Downstream>.self).handle($1) }
    }

    @usableFromInline deinit {
        stayOutOfClients()
    }

    @inlinable
    func handle(_ command: Command) {
        if case .request(let demand) = command {
            demand.requirePositive()
        } else {
            isCancelled.store(true, ordering: .releasing)
        }
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing), let subscriber = downstream.subscriber else {
            return
        }
        downstream.object = nil
        if case .request = command {
            _ = subscriber.receive(output)
            if !isCancelled.load(ordering: .acquiring) { subscriber.receive(completion: .finished) }
        }
    }

    @usableFromInline override var description: String {
        LinkName.of(Source.self)
    }

    /// The value, without a label, as long as it has not been delivered.
    @usableFromInline override var customMirror: Mirror {
        Mirror(self, unlabeledChildren: isOver.load(ordering: .acquiring) ? [] : [output])
    }
}

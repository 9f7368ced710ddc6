public import Synchronization

/// Delivers one value and the completion on the first request.
///
/// `Source` is the type of the publisher, after which the subscription is called.
@usableFromInline
final class OneValueConduit<Source, Downstream: Subscriber>: Conduit {
    @usableFromInline let isOver = Atomic<Bool>(false)
    /// Keeps back the completion when the value's receiver has cancelled.
    @usableFromInline let isCancelled = Atomic<Bool>(false)
    /// Taken by whoever sets `isOver`.
    @exclusivity(unchecked) @usableFromInline var parts: (output: Downstream.Input, downstream: Downstream)?

    @inlinable
    init(_ output: Downstream.Input, _ downstream: Downstream) {
        parts = (output, downstream)
        super.init { unsafeDowncast($0, to: OneValueConduit<Source, Downstream>.self).handle($1) }
    }

    @usableFromInline deinit {
        stayOutOfClients()
    }

    @inlinable
    func handle(_ command: Command) {
        if case .request(let demand) = command {
            demand.requireSome()
        } else {
            isCancelled.store(true, ordering: .releasing)
        }
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing), let (output, downstream) = parts else { return }
        parts = nil
        if case .request = command {
            _ = downstream.receive(output)
            if !isCancelled.load(ordering: .acquiring) { downstream.receive(completion: .finished) }
        }
    }

    @usableFromInline override var description: String {
        LinkName.of(Source.self)
    }

    /// The value, without a label, as long as it has not been delivered.
    @usableFromInline override var customMirror: Mirror {
        let isOver = isOver.load(ordering: .acquiring)
        return Mirror(self, unlabeledChildren: isOver ? [] : [parts?.output as Any])
    }
}

import StateCapture

/// Counts the elements of a sequence that its subscriber has received, so that a restored machine continues after them.
// A subscriber of its own, which only machines with captured state have: outside, a count would be a cost of each element.
final class SequenceProgress<Downstream: Subscriber>: Subscriber, DescribedSubscriber {
    private let downstream: Downstream
    // These are used inside the gate of the source, which makes every access exclusive.
    private(set) var count = 0
    private(set) var isOver = false
    /// The source, which releases this subscriber when it ends.
    var source: GatedConduit?

    init(_ downstream: Downstream) {
        self.downstream = downstream
    }

    var description: String { String(describing: downstream) }

    func receive(subscription: any Subscription) {
        downstream.receive(subscription: subscription)
    }

    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        count &+= 1
        return downstream.receive(input)
    }

    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        isOver = true
        downstream.receive(completion: completion)
    }
}

extension SequenceProgress: StatefulPart {
    static var partName: StaticString { "sequence" }

    /// The number of received elements.
    var partState: ValueState<Int>? {
        isOver || source?.demand.isEnded == true ? nil : ValueState(count)
    }

    func restore(_ state: ValueState<Int>?) {
        if let state { count = max(0, state.value.value) } else { isOver = true }
    }
}

extension Publishers.Sequence {
    /// Attaches a subscriber of a machine that is being wired.
    @usableFromInline
    func receiveWhileWiring<S: Subscriber>(_ subscriber: S) where Output == S.Input, Failure == S.Failure {
        guard let registry = StateRegistry.current else { return }
        let progress = SequenceProgress(subscriber)
        registry.register(progress)
        var iterator = sequence.makeIterator()
        for _ in 0..<progress.count where iterator.next() == nil { break }
        guard !progress.isOver, let first = iterator.next() else {
            progress.receive(subscription: Subscriptions.empty)
            return progress.receive(completion: .finished)
        }
        let inner = Inner(sequence, first, iterator, progress)
        progress.source = inner
        progress.receive(subscription: registry.isRestoring ? PostponedRequests(inner, registry) : inner)
    }
}

public import StateCapture

extension Publishers {
    /// A publisher that delivers the elements of a sequence on request and finishes with the last one.
    @frozen
    public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
        /// The type of the elements.
        public typealias Output = Elements.Element

        /// The sequence. Each subscriber iterates it separately.
        public let sequence: Elements

        /// Creates a publisher of `sequence`.
        @inlinable
        public init(sequence: Elements) {
            self.sequence = sequence
        }

        /// Attaches `subscriber`. An empty sequence finishes without a request.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            if StateRegistry.isWiring { return receiveWhileWiring(subscriber) }
            var iterator = sequence.makeIterator()
            guard let first = iterator.next() else {
                subscriber.receive(subscription: Subscriptions.empty)
                subscriber.receive(completion: .finished)
                return
            }
            subscriber.receive(subscription: Inner(sequence, first, iterator, subscriber))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: GatedConduit
        where Downstream.Input == Elements.Element, Downstream.Failure == Failure {
            // Used only by the thread that raised the demand from zero, until it is zero again, so every access is
            // exclusive. One element is read ahead, so that the completion follows the last one without another
            // request.
            @exclusivity(unchecked) @usableFromInline var next: Elements.Element?
            /// The sequence, for descriptions.
            @exclusivity(unchecked) @usableFromInline var sequence: Elements?
            @exclusivity(unchecked) @usableFromInline var iterator: Elements.Iterator?
            @exclusivity(unchecked) @usableFromInline var downstream: Downstream?

            @inlinable
            init(
                _ sequence: Elements, _ first: Elements.Element, _ iterator: Elements.Iterator, _ downstream: Downstream
            ) {
                next = first
                self.sequence = sequence
                self.iterator = iterator
                self.downstream = downstream
                super.init { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            /// The description of the sequence, until the end.
            @usableFromInline override var description: String {
                sequence.map { String(describing: $0) } ?? "Sequence"
            }

            @usableFromInline override var customMirror: Mirror {
                mirror([("sequence", sequence.map { $0 as Any } ?? [Elements.Element]())])
            }

            @inlinable
            func handle(_ command: Command) {
                switch command {
                case .request(let more):
                    // Only the request that raises the demand from zero delivers. Any other one finds a loop running,
                    // which sees the added demand.
                    if more.rawValue > 0, demand.add(more) == 0 { deliver() }
                case .cancel:
                    if demand.end() { releaseReferences() }
                case .drainPending:
                    guard demand.isEnded else { return }
                    next = nil
                    iterator = nil
                    sequence = nil
                    downstream = nil
                }
            }

            /// Delivers until the demand is exhausted, including demand that is requested meanwhile.
            @inlinable
            func deliver() {
                // The gate keeps a cancellation on another thread from releasing the references during the loop.
                let outermost = enter()
                defer { exit(outermost) }
                guard let downstream else { return }
                while !demand.isEnded, let value = next {
                    next = iterator?.next()
                    let more = downstream.receive(value)
                    if next == nil {
                        if demand.end() {
                            downstream.receive(completion: .finished)
                            releaseReferences()
                        }
                        return
                    }
                    if demand.finishDelivery(adding: more) <= 0 { return }
                }
            }
        }
    }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}

extension Sequence {
    /// A publisher of the elements of this sequence.
    @inlinable public var publisher: Publishers.Sequence<Self, Never> {
        Publishers.Sequence(sequence: self)
    }
}

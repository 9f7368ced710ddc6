extension Publishers {
    /// Delivers the elements of a sequence, as many as are asked for, and finishes with the last.
    @frozen
    public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
        /// The elements.
        public typealias Output = Elements.Element

        /// Where the elements come from; each subscriber gets an iteration of its own.
        public let sequence: Elements

        /// Makes a publisher of `sequence`.
        @inlinable
        public init(sequence: Elements) {
            self.sequence = sequence
        }

        /// Attaches `subscriber`; an empty sequence finishes without being asked.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
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
            /// These are used by the thread that raised the demand from zero, until it is zero again.
            @exclusivity(unchecked) @usableFromInline var next: Elements.Element?
            /// For descriptions.
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
                Mirror(self, children: ["sequence": sequence.map { $0 as Any } ?? [Elements.Element]()])
            }

            @inlinable
            func handle(_ command: Command) {
                switch command {
                case .request(let more):
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

            /// Delivers until the demand is used up; what is requested meanwhile counts.
            @inlinable
            func deliver() {
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
    /// A publisher of the elements.
    @inlinable public var publisher: Publishers.Sequence<Self, Never> {
        Publishers.Sequence(sequence: self)
    }
}

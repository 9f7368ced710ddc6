extension Publishers {
    /// Delivers the value of two properties of each value.
    @frozen
    public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: Publisher {
        /// The values of the properties.
        public typealias Output = (Output0, Output1)
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// The property that is read.
        public let keyPath0: KeyPath<Upstream.Output, Output0>

        /// The property that is read.
        public let keyPath1: KeyPath<Upstream.Output, Output1>

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(
            upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>, keyPath1: KeyPath<Upstream.Output, Output1>
        ) {
            self.upstream = upstream
            self.keyPath0 = keyPath0
            self.keyPath1 = keyPath1
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: Inner(downstream: subscriber, keyPath0: keyPath0, keyPath1: keyPath1))
        }

        @usableFromInline
        @frozen
        struct Inner<Downstream: Subscriber>: Subscriber, DescribedSubscriber
        where Downstream.Input == Output, Downstream.Failure == Failure {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

            @usableFromInline let downstream: Downstream
            @usableFromInline let keyPath0: KeyPath<Upstream.Output, Output0>
            @usableFromInline let keyPath1: KeyPath<Upstream.Output, Output1>

            @inlinable
            init(
                downstream: Downstream, keyPath0: KeyPath<Upstream.Output, Output0>,
                keyPath1: KeyPath<Upstream.Output, Output1>
            ) {
                self.downstream = downstream
                self.keyPath0 = keyPath0
                self.keyPath1 = keyPath1
            }

            @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

            @usableFromInline var description: String { "ValueForKeys" }

            @usableFromInline var customMirror: Mirror {
                Mirror(self, children: ["keyPath0": keyPath0, "keyPath1": keyPath1])
            }

            @inlinable
            func receive(subscription: any Subscription) {
                downstream.receive(subscription: subscription)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                downstream.receive((input[keyPath: keyPath0], input[keyPath: keyPath1]))
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                downstream.receive(completion: completion)
            }
        }
    }
}

extension Publisher {
    /// Delivers the value of the properties of each value.
    @inlinable
    public func map<T0, T1>(_ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>)
        -> Publishers.MapKeyPath2<Self, T0, T1>
    {
        Publishers.MapKeyPath2(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1)
    }
}

extension Publishers {
    /// A publisher that replaces each value with a tuple of three of its properties.
    @frozen
    public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: Publisher {
        /// A tuple of the property values.
        public typealias Output = (Output0, Output1, Output2)
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The key path of the property to read.
        public let keyPath0: KeyPath<Upstream.Output, Output0>

        /// The key path of the property to read.
        public let keyPath1: KeyPath<Upstream.Output, Output1>

        /// The key path of the property to read.
        public let keyPath2: KeyPath<Upstream.Output, Output2>

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(
            upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>,
            keyPath1: KeyPath<Upstream.Output, Output1>, keyPath2: KeyPath<Upstream.Output, Output2>
        ) {
            self.upstream = upstream
            self.keyPath0 = keyPath0
            self.keyPath1 = keyPath1
            self.keyPath2 = keyPath2
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(
                subscriber: Inner(downstream: subscriber, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2))
        }

        @usableFromInline
        struct Inner<Downstream: Subscriber>: PassingSubscriber
        where Downstream.Input == Output, Downstream.Failure == Failure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let keyPath0: KeyPath<Upstream.Output, Output0>
            @usableFromInline let keyPath1: KeyPath<Upstream.Output, Output1>
            @usableFromInline let keyPath2: KeyPath<Upstream.Output, Output2>

            @inlinable
            init(
                downstream: Downstream, keyPath0: KeyPath<Upstream.Output, Output0>,
                keyPath1: KeyPath<Upstream.Output, Output1>, keyPath2: KeyPath<Upstream.Output, Output2>
            ) {
                self.downstream = downstream
                self.keyPath0 = keyPath0
                self.keyPath1 = keyPath1
                self.keyPath2 = keyPath2
            }

            // The name that Combine's own subscriber shows.
            @usableFromInline var description: String { "ValueForKeys" }

            @usableFromInline var customMirror: Mirror {
                Mirror(self, children: ["keyPath0": keyPath0, "keyPath1": keyPath1, "keyPath2": keyPath2])
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                downstream.receive((input[keyPath: keyPath0], input[keyPath: keyPath1], input[keyPath: keyPath2]))
            }
        }
    }
}

extension Publisher {
    /// Replaces each value with a tuple of the properties at the given key paths.
    @inlinable
    public func map<T0, T1, T2>(
        _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>, _ keyPath2: KeyPath<Output, T2>
    ) -> Publishers.MapKeyPath3<Self, T0, T1, T2> {
        Publishers.MapKeyPath3(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2)
    }
}

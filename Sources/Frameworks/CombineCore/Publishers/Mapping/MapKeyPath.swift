extension Publishers {
    /// A publisher that replaces each value with one of its properties.
    @frozen
    public struct MapKeyPath<Upstream: Publisher, Output>: Publisher {
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The key path of the property to read.
        public let keyPath: KeyPath<Upstream.Output, Output>

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, keyPath: KeyPath<Upstream.Output, Output>) {
            self.upstream = upstream
            self.keyPath = keyPath
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: Inner(downstream: subscriber, keyPath: keyPath))
        }

        @usableFromInline
        struct Inner<Downstream: Subscriber>: PassingSubscriber
        where Downstream.Input == Output, Downstream.Failure == Failure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let keyPath: KeyPath<Upstream.Output, Output>

            @inlinable
            init(downstream: Downstream, keyPath: KeyPath<Upstream.Output, Output>) {
                self.downstream = downstream
                self.keyPath = keyPath
            }

            // The name that Combine's own subscriber shows.
            @usableFromInline var description: String { "ValueForKey" }

            @usableFromInline var customMirror: Mirror {
                Mirror(self, children: ["keyPath": keyPath])
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                downstream.receive(input[keyPath: keyPath])
            }
        }
    }
}

extension Publisher {
    /// Replaces each value with its property at `keyPath`.
    @inlinable
    public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.MapKeyPath<Self, T> {
        Publishers.MapKeyPath(upstream: self, keyPath: keyPath)
    }
}

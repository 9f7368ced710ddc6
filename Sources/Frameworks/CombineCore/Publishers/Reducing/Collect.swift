extension Publishers {
    /// A publisher that collects all values into one array, published when upstream finishes.
    public struct Collect<Upstream: Publisher>: Publisher {
        /// An array of all values of upstream.
        public typealias Output = [Upstream.Output]
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        /// Attaches `subscriber`. Requests unlimited demand from upstream, and holds the result until downstream
        /// requests a value.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: ReductionConduit(subscriber, Gathering()).registered())
        }

        @usableFromInline
        struct Gathering: Reduction {
            @usableFromInline typealias Failure = Upstream.Failure

            @usableFromInline static var valueTypes: [any Any.Type] { [Upstream.Output.self] }

            @inlinable
            init() {}

            // A reference: see `reduce`.
            @inlinable
            func begin() -> Pile<Upstream.Output> { Pile() }

            @inlinable
            func reduce(_ partial: Pile<Upstream.Output>, _ input: Upstream.Output)
                -> ReductionStep<Pile<Upstream.Output>>
            {
                // Appended in place. With an array as the partial result, the conduit's copy would make each append
                // copy the array, and collecting would take quadratic time.
                partial.values.append(input)
                return .more(partial)
            }

            @inlinable
            func result(of partial: Pile<Upstream.Output>) -> [Upstream.Output]? { partial.values }

            @usableFromInline
            func children(_ partial: Pile<Upstream.Output>) -> [Mirror.Child]? { [("count", partial.values.count)] }
        }
    }
}

extension Publishers.Collect: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Collects all values into one array and publishes it when this publisher finishes.
    @inlinable
    public func collect() -> Publishers.Collect<Self> {
        Publishers.Collect(upstream: self)
    }
}

/// A reference to the collected values.
@usableFromInline
final class Pile<Element> {
    /// Accessed inside the gate of the conduit that owns the reference.
    @exclusivity(unchecked) @usableFromInline final var values: [Element] = []

    @inlinable
    init() {}
}

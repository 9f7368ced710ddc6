extension Publishers {
    /// Delivers all values in one array when upstream finishes.
    public struct Collect<Upstream: Publisher>: Publisher {
        /// All values of upstream.
        public typealias Output = [Upstream.Output]
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        /// Attaches `subscriber`; upstream is asked for everything at once, and the result waits until it is asked for.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: ReductionConduit(subscriber, Gathering()))
        }

        @usableFromInline
        @frozen
        struct Gathering: Reduction {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = [Upstream.Output]
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = Upstream.Failure
            @usableFromInline typealias Partial = Pile<Upstream.Output>

            @inlinable
            init() {}

            @inlinable
            func begin() -> Pile<Upstream.Output> { Pile() }

            @inlinable
            func reduce(_ partial: Pile<Upstream.Output>, _ input: Upstream.Output) -> ReductionStep<
                Pile<Upstream.Output>, Upstream.Failure
            > {
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
    /// Delivers all values in one array when this publisher finishes.
    @inlinable
    public func collect() -> Publishers.Collect<Self> {
        Publishers.Collect(upstream: self)
    }
}

/// Values that are gathered in place.
@usableFromInline
final class Pile<Element> {
    /// Used inside the gate of the link that the pile belongs to.
    @exclusivity(unchecked) @usableFromInline final var values: [Element] = []

    @inlinable
    init() {}
}

extension Publishers {
    /// Delivers the value that comes last in an order when upstream finishes.
    public struct Comparison<Upstream: Publisher>: Publisher {
        /// The value is one of upstream's.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// Whether the first value comes before the second.
        public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.areInIncreasingOrder = areInIncreasingOrder
        }

        /// Attaches `subscriber`; upstream is asked for everything at once, and the result waits until it is asked for.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(
                subscriber: ReductionConduit(subscriber, Comparing(areInIncreasingOrder: areInIncreasingOrder)))
        }

        @usableFromInline
        @frozen
        struct Comparing: Reduction {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = Upstream.Output
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = Upstream.Failure
            @usableFromInline typealias Partial = Upstream.Output?

            @usableFromInline let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool

            @inlinable
            init(areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
                self.areInIncreasingOrder = areInIncreasingOrder
            }

            @inlinable
            func reduce(_ partial: Upstream.Output?, _ input: Upstream.Output) -> ReductionStep<
                Upstream.Output?, Upstream.Failure
            > {
                guard let partial else { return .more(input) }
                return .more(areInIncreasingOrder(partial, input) ? input : partial)
            }
        }
    }
}

extension Publisher {
    /// Delivers the least value, by `areInIncreasingOrder`, when this publisher finishes.
    @inlinable
    public func min(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
        Publishers.Comparison(upstream: self) { areInIncreasingOrder($1, $0) }
    }

    /// Delivers the greatest value, by `areInIncreasingOrder`, when this publisher finishes.
    @inlinable
    public func max(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
        Publishers.Comparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
    }
}

extension Publisher where Output: Comparable {
    /// Delivers the least value when this publisher finishes.
    @inlinable
    public func min() -> Publishers.Comparison<Self> {
        min(by: <)
    }

    /// Delivers the greatest value when this publisher finishes.
    @inlinable
    public func max() -> Publishers.Comparison<Self> {
        max(by: <)
    }
}

extension Publishers {
    /// Delivers the value that comes last in an order when upstream finishes; fails with what the comparison throws.
    public struct TryComparison<Upstream: Publisher>: Publisher {
        /// The value is one of upstream's.
        public typealias Output = Upstream.Output
        /// Anything may be thrown.
        public typealias Failure = any Error

        /// Where the values come from.
        public let upstream: Upstream

        /// Whether the first value comes before the second.
        public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws -> Bool

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(
            upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws -> Bool
        ) {
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
            @usableFromInline typealias Failure = any Error
            @usableFromInline typealias Partial = Upstream.Output?

            @usableFromInline let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws -> Bool

            @inlinable
            init(areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
                self.areInIncreasingOrder = areInIncreasingOrder
            }

            @inlinable
            func reduce(_ partial: Upstream.Output?, _ input: Upstream.Output) -> ReductionStep<
                Upstream.Output?, any Error
            > {
                do {
                    guard let partial else { return .more(input) }
                    return .more(try areInIncreasingOrder(partial, input) ? input : partial)
                } catch {
                    return .fail(error)
                }
            }
        }
    }
}

extension Publisher {
    /// Delivers the least value, by `areInIncreasingOrder`, when this publisher finishes; fails with what it throws.
    @inlinable
    public func tryMin(by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool)
        -> Publishers.TryComparison<Self>
    {
        Publishers.TryComparison(upstream: self) { try areInIncreasingOrder($1, $0) }
    }

    /// Delivers the greatest value, by `areInIncreasingOrder`, when this publisher finishes; fails with what it throws.
    @inlinable
    public func tryMax(by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool)
        -> Publishers.TryComparison<Self>
    {
        Publishers.TryComparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
    }
}

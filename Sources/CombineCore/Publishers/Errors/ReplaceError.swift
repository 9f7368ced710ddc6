extension Publishers {
    /// Delivers a value and finishes when upstream fails.
    @frozen
    public struct ReplaceError<Upstream: Publisher>: Publisher {
        /// The values are those of upstream, and the one in place of an error.
        public typealias Output = Upstream.Output
        /// Errors are replaced.
        public typealias Failure = Never

        /// Where the values come from.
        public let upstream: Upstream

        /// What is delivered in place of an error.
        public let output: Upstream.Output

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, output: Output) {
            self.upstream = upstream
            self.output = output
        }

        /// Attaches `subscriber`; the value in place of an error waits until it is asked for.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Upstream.Output == S.Input, S.Failure == Never {
            let output = output
            upstream.catch { _ in Just(output) }.receive(subscriber: subscriber)
        }
    }
}

extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

extension Publisher {
    /// Delivers `output` and finishes when this publisher fails.
    @inlinable
    public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
        Publishers.ReplaceError(upstream: self, output: output)
    }
}

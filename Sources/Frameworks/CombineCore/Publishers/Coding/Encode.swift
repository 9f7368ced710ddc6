extension Publishers {
    /// A publisher that encodes each value.
    public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: Publisher where Upstream.Output: Encodable {
        /// The output type of the encoder.
        public typealias Output = Coder.Output
        /// Any error: the encoder can throw.
        public typealias Failure = any Error

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        @usableFromInline let encoder: Coder

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, encoder: Coder) {
            self.upstream = upstream
            self.encoder = encoder
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: TransformationConduit(subscriber, Encoding(encoder: encoder), ()))
        }

        @usableFromInline
        struct Encoding: Transformation {
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error

            @usableFromInline let encoder: Coder

            @inlinable
            init(encoder: Coder) {
                self.encoder = encoder
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Void) throws -> TransformationStep<Coder.Output, Void> {
                .deliver(try encoder.encode(input), ())
            }

            @usableFromInline
            func children(_ downstream: Any, _ memory: Void?) -> [Mirror.Child] {
                // The labels are those that Combine's own mirror shows. The memory is nil once the conduit has ended.
                [("downstream", downstream), ("finished", memory == nil), ("upstreamSubscription", Upstream.self)]
            }
        }
    }
}

extension Publisher where Output: Encodable {
    /// Encodes each value with `encoder`. Fails with the error that `encoder` throws.
    @inlinable
    public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.Encode<Self, Coder> {
        Publishers.Encode(upstream: self, encoder: encoder)
    }
}

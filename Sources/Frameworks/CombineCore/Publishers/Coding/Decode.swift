extension Publishers {
    /// A publisher that decodes each value.
    public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: Publisher
    where Upstream.Output == Coder.Input {
        /// Any error: the decoder can throw.
        public typealias Failure = any Error

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        @usableFromInline let decoder: Coder

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, decoder: Coder) {
            self.upstream = upstream
            self.decoder = decoder
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: TransformationConduit(subscriber, Decoding(decoder: decoder), ()))
        }

        // Inside `Decoding`, `Output` is the requirement of `Transformation` and hides the publisher's parameter.
        @usableFromInline typealias Item = Output

        @usableFromInline
        struct Decoding: Transformation {
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error

            @usableFromInline let decoder: Coder

            @inlinable
            init(decoder: Coder) {
                self.decoder = decoder
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Void) throws -> TransformationStep<Item, Void> {
                .deliver(try decoder.decode(Item.self, from: input), ())
            }

            @usableFromInline
            func children(_ downstream: Any, _ memory: Void?) -> [Mirror.Child] {
                // The labels are those that Combine's own mirror shows.
                [("downstream", downstream), ("finished", memory == nil), ("upstreamSubscription", Upstream.self)]
            }
        }
    }
}

extension Publisher {
    /// Decodes each value as `type` with `decoder`. Fails with the error that `decoder` throws.
    @inlinable
    public func decode<Item: Decodable, Coder: TopLevelDecoder>(type: Item.Type, decoder: Coder)
        -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input
    {
        Publishers.Decode(upstream: self, decoder: decoder)
    }
}

extension Publishers {
    /// Delivers what a decoder reads from the values.
    public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: Publisher
    where Upstream.Output == Coder.Input {
        /// Anything may be thrown.
        public typealias Failure = any Error

        /// Where the values come from.
        public let upstream: Upstream

        /// What reads the values.
        @usableFromInline let decoder: Coder

        /// Makes the publisher; nothing happens before somebody subscribes.
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

        @usableFromInline typealias Item = Output

        @usableFromInline
        @frozen
        struct Decoding: Transformation {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = Item
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error
            @usableFromInline typealias Memory = Void

            @usableFromInline let decoder: Coder

            @inlinable
            init(decoder: Coder) {
                self.decoder = decoder
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Void) -> TransformationStep<Item, any Error, Void> {
                do {
                    return .deliver(try decoder.decode(Item.self, from: input), ())
                } catch {
                    return .fail(error)
                }
            }

            @usableFromInline
            func children(_ downstream: Any, _ memory: Void?) -> [Mirror.Child] {
                [("downstream", downstream), ("finished", memory == nil), ("upstreamSubscription", Upstream.self)]
            }
        }
    }
}

extension Publisher {
    /// Delivers what `decoder` reads from the values, as `type`; fails with what it throws.
    @inlinable
    public func decode<Item: Decodable, Coder: TopLevelDecoder>(type: Item.Type, decoder: Coder)
        -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input
    {
        Publishers.Decode(upstream: self, decoder: decoder)
    }
}

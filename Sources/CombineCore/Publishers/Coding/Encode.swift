extension Publishers {
    /// Delivers the values as an encoder writes them.
    public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: Publisher where Upstream.Output: Encodable {
        /// What the encoder writes.
        public typealias Output = Coder.Output
        /// Anything may be thrown.
        public typealias Failure = any Error

        /// Where the values come from.
        public let upstream: Upstream

        /// What writes the values.
        @usableFromInline let encoder: Coder

        /// Makes the publisher; nothing happens before somebody subscribes.
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
        @frozen
        struct Encoding: Transformation {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = Coder.Output
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error
            @usableFromInline typealias Memory = Void

            @usableFromInline let encoder: Coder

            @inlinable
            init(encoder: Coder) {
                self.encoder = encoder
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Void) -> TransformationStep<Coder.Output, any Error, Void> {
                do {
                    return .deliver(try encoder.encode(input), ())
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

extension Publisher where Output: Encodable {
    /// Delivers the values as `encoder` writes them; fails with what it throws.
    @inlinable
    public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.Encode<Self, Coder> {
        Publishers.Encode(upstream: self, encoder: encoder)
    }
}

extension Publishers {
    /// Leaves out each value that equals the one before it; fails with what the comparison throws.
    public struct TryRemoveDuplicates<Upstream: Publisher>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Anything may be thrown.
        public typealias Failure = any Error

        /// Where the values come from.
        public let upstream: Upstream

        /// Whether two values in a row are equal; the earlier one comes first.
        public let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
            upstream.receive(subscriber: TransformationConduit(subscriber, Comparing(predicate: predicate), nil))
        }

        @usableFromInline
        @frozen
        struct Comparing: Transformation {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Output = Upstream.Output
            @usableFromInline typealias SourceFailure = Upstream.Failure
            @usableFromInline typealias Failure = any Error
            @usableFromInline typealias Memory = Upstream.Output?

            @usableFromInline let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

            @inlinable
            init(predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            func step(_ input: Upstream.Output, _ memory: Upstream.Output?) -> TransformationStep<
                Upstream.Output, any Error, Upstream.Output?
            > {
                do {
                    if let memory, try predicate(memory, input) { return .skip(memory) }
                    return .deliver(input, input)
                } catch {
                    return .fail(error)
                }
            }

            @usableFromInline
            func children(_ downstream: Any, _ memory: Upstream.Output??) -> [Mirror.Child] {
                [("downstream", downstream), ("last", memory.flatMap { $0 } as Any)]
            }
        }
    }
}

extension Publisher {
    /// Leaves out each value of which `predicate` says that it equals the one before it; fails with what it throws.
    @inlinable
    public func tryRemoveDuplicates(by predicate: @escaping (Output, Output) throws -> Bool)
        -> Publishers.TryRemoveDuplicates<Self>
    {
        Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
    }
}

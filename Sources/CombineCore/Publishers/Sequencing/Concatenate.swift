extension Publishers {
    /// Delivers what one publisher delivers, and once that has finished, what another does.
    @frozen
    public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
    where Prefix.Failure == Suffix.Failure, Prefix.Output == Suffix.Output {
        /// The values are those of both publishers.
        public typealias Output = Suffix.Output
        /// Fails as soon as the publisher does that is listened to.
        public typealias Failure = Suffix.Failure

        /// The publisher that comes first.
        public let prefix: Prefix

        /// The publisher that comes next.
        public let suffix: Suffix

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(prefix: Prefix, suffix: Suffix) {
            self.prefix = prefix
            self.suffix = suffix
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Suffix.Failure == S.Failure, Suffix.Output == S.Input {
            prefix.receive(subscriber: Inner(subscriber, suffix))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: SuccessorConduit<Downstream>, Subscriber
        where Downstream.Input == Suffix.Output, Downstream.Failure == Suffix.Failure {
            @usableFromInline typealias Input = Suffix.Output
            @usableFromInline typealias Failure = Suffix.Failure

            /// What comes next; nil once it is listened to. Used inside the gate.
            @exclusivity(unchecked) @usableFromInline var suffix: Suffix?
            @exclusivity(unchecked) @usableFromInline var isInSuffix = false

            @inlinable
            init(_ downstream: Downstream, _ suffix: Suffix) {
                self.suffix = suffix
                super.init(downstream) { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @inlinable
            func handle(_ command: Command) {
                switch command {
                case .request(let more): request(adding: more)
                case .cancel: endAndCancel()
                case .attend:
                    guard demand.isEnded else { return }
                    downstream = nil
                    suffix = nil
                }
            }

            @inlinable
            func receive(subscription: any Subscription) {
                let outermost = enter()
                if isInSuffix { proceed(subscription) } else { begin(subscription) }
                exit(outermost)
            }

            @inlinable
            func receive(_ input: Suffix.Output) -> Subscribers.Demand {
                pass(input)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Suffix.Failure>) {
                guard case .finished = completion else { return complete(completion) }
                let outermost = enter()
                defer { exit(outermost) }
                takeUpstream()
                if let next = suffix {
                    suffix = nil
                    isInSuffix = true
                    next.receive(subscriber: self)
                } else {
                    complete(completion)
                }
            }
        }
    }
}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}

extension Publisher {
    /// Delivers `elements` after everything else.
    @inlinable
    public func append(_ elements: Output...) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
        append(elements)
    }

    /// Delivers `elements` after everything else.
    @inlinable
    public func append<S: Sequence>(_ elements: S) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>>
    where Output == S.Element {
        append(Publishers.Sequence(sequence: elements))
    }

    /// Delivers what `publisher` delivers after everything else.
    @inlinable
    public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
    where Failure == P.Failure, Output == P.Output {
        Publishers.Concatenate(prefix: self, suffix: publisher)
    }

    /// Delivers `elements` before everything else.
    @inlinable
    public func prepend(_ elements: Output...) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
        prepend(elements)
    }

    /// Delivers `elements` before everything else.
    @inlinable
    public func prepend<S: Sequence>(_ elements: S) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self>
    where Output == S.Element {
        prepend(Publishers.Sequence(sequence: elements))
    }

    /// Delivers what `publisher` delivers before everything else.
    @inlinable
    public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
    where Failure == P.Failure, Output == P.Output {
        Publishers.Concatenate(prefix: publisher, suffix: self)
    }
}

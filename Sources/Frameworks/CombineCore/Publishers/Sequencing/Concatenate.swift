public import StateCapture

extension Publishers {
    /// A publisher that delivers the values of one publisher and then, once that has finished, those of another.
    @frozen
    public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
    where Prefix.Failure == Suffix.Failure, Prefix.Output == Suffix.Output {
        /// The output type of both publishers.
        public typealias Output = Suffix.Output
        /// The failure type of both publishers. A failure of the current one ends the stream.
        public typealias Failure = Suffix.Failure

        /// The publisher whose values come first.
        public let prefix: Prefix

        /// The publisher whose values follow.
        public let suffix: Suffix

        /// Creates the publisher. It subscribes to nothing until it has a subscriber.
        @inlinable
        public init(prefix: Prefix, suffix: Suffix) {
            self.prefix = prefix
            self.suffix = suffix
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Suffix.Failure == S.Failure, Suffix.Output == S.Input {
            // Counted here rather than through `RenewingConduit.subscribe`: the common case needs neither the gate nor
            // a postponed task.
            let counters = Nesting.counters
            guard counters.pointee.subscriptions < Nesting.limit - 1 else { return receiveAtNestingLimit(subscriber) }
            if StateRegistry.isWiring { return receiveWhileWiring(subscriber) }
            counters.pointee.subscriptions += 1
            prefix.receive(subscriber: Inner(subscriber, suffix))
            counters.pointee.subscriptions -= 1
        }

        /// Attaches `subscriber` where the stack is deep: a concatenation that another one subscribes to becomes a part
        /// of that one.
        @usableFromInline
        func receiveAtNestingLimit<S: Subscriber>(_ subscriber: S)
        where Suffix.Failure == S.Failure, Suffix.Output == S.Input {
            let other = Nesting.replaceable(subscriber) as? any ConcatenatingSubscriber
            if other?.insert(AnyPublisher(prefix), before: AnyPublisher(suffix)) == true { return }
            let inner = Inner(subscriber, suffix)
            let outermost = inner.enter()
            inner.subscribe(inner, to: prefix)
            inner.exit(outermost)
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: SuccessorConduit<Downstream>, Subscriber, ConcatenatingSubscriber
        where Downstream.Input == Suffix.Output, Downstream.Failure == Suffix.Failure {
            // These are used only inside the gate, which makes every access exclusive.
            /// The publisher that follows; nil once it has been subscribed to.
            @exclusivity(unchecked) @usableFromInline var suffix: Suffix?
            /// The publishers before `suffix`, in reverse order, so that the next one is popped from the end.
            @exclusivity(unchecked) @usableFromInline var inserted: ContiguousArray<AnyPublisher<Input, Failure>> = []
            /// Whether `suffix` had been subscribed to when the machine was captured.
            @exclusivity(unchecked) @usableFromInline var isInSuffix = false
            /// The scope of the parts of `suffix`, if the machine is captured.
            @exclusivity(unchecked) @usableFromInline var scope: StateScope?

            @inlinable
            init(_ downstream: Downstream, _ suffix: Suffix) {
                self.suffix = suffix
                super.init(downstream) { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @inlinable
            func handle(_ command: Command) {
                switch command {
                case .request(let more): if more.rawValue > 0 { request(adding: more) }
                case .cancel: endAndCancel()
                case .drainPending:
                    guard demand.isEnded else { return }
                    downstream = nil
                    suffix = nil
                    inserted = []
                    postponed = []
                }
            }

            @inlinable
            func receive(subscription: any Subscription) {
                beginOrProceed(subscription)
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
                // Removed first, so that the subscription of the next publisher finds no upstream and is kept.
                takeUpstream()
                if let next = inserted.popLast() {
                    subscribe(self, to: next)
                } else if let next = suffix {
                    suffix = nil
                    if let scope {
                        scope.wire { subscribe(self, to: next) }
                    } else if !transferDownstream(to: next) {
                        subscribe(self, to: next)
                    }
                } else {
                    complete(completion)
                }
            }

            @usableFromInline
            func replaceUpstream(with next: Any) -> Bool {
                replaceUpstream(of: self, with: next)
            }

            @usableFromInline
            func insert(_ prefix: Any, before suffix: Any) -> Bool {
                guard let prefix = prefix as? AnyPublisher<Input, Failure>,
                    let suffix = suffix as? AnyPublisher<Input, Failure>
                else { return false }
                let isTaken = postponeIfSubscribing { prefix.receive(subscriber: self) }
                if isTaken { inserted.append(suffix) }
                return isTaken
            }
        }
    }
}

/// The conduit of a concatenation that can absorb another one.
@usableFromInline
protocol ConcatenatingSubscriber: ReplaceableSubscriber {
    /// Continues with `prefix` and then `suffix`, both of type ``AnyPublisher``, before the remaining publishers.
    ///
    /// - Returns: Whether the conduit is making a subscription further up this thread's stack and has absorbed them.
    func insert(_ prefix: Any, before suffix: Any) -> Bool
}

extension Publishers.Concatenate: ChainablePublisher {}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}

extension Publisher {
    /// Delivers `elements` after all other values.
    @inlinable
    public func append(_ elements: Output...) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
        append(elements)
    }

    /// Delivers `elements` after all other values.
    @inlinable
    public func append<S: Sequence>(_ elements: S) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>>
    where Output == S.Element {
        append(Publishers.Sequence(sequence: elements))
    }

    /// Delivers the values of `publisher` after all other values.
    @inlinable
    public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
    where Failure == P.Failure, Output == P.Output {
        Publishers.Concatenate(prefix: self, suffix: publisher)
    }

    /// Delivers `elements` before all other values.
    @inlinable
    public func prepend(_ elements: Output...) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
        prepend(elements)
    }

    /// Delivers `elements` before all other values.
    @inlinable
    public func prepend<S: Sequence>(_ elements: S) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self>
    where Output == S.Element {
        prepend(Publishers.Sequence(sequence: elements))
    }

    /// Delivers the values of `publisher` before all other values.
    @inlinable
    public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
    where Failure == P.Failure, Output == P.Output {
        Publishers.Concatenate(prefix: publisher, suffix: self)
    }
}

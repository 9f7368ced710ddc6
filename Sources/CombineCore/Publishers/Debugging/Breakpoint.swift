extension Publishers {
    /// Stops in the debugger when a closure says so.
    public struct Breakpoint<Upstream: Publisher>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// Whether to stop at a subscription.
        public let receiveSubscription: ((any Subscription) -> Bool)?

        /// Whether to stop at a value.
        public let receiveOutput: ((Upstream.Output) -> Bool)?

        /// Whether to stop at the completion.
        public let receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Bool)?

        /// Makes the publisher; nothing happens before somebody subscribes.
        @inlinable
        public init(
            upstream: Upstream, receiveSubscription: ((any Subscription) -> Bool)? = nil,
            receiveOutput: ((Upstream.Output) -> Bool)? = nil,
            receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Bool)? = nil
        ) {
            self.upstream = upstream
            self.receiveSubscription = receiveSubscription
            self.receiveOutput = receiveOutput
            self.receiveCompletion = receiveCompletion
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
            upstream.receive(subscriber: Inner(downstream: subscriber, breakpoint: self))
        }

        @usableFromInline
        @frozen
        struct Inner<Downstream: Subscriber>: Subscriber, DescribedSubscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

            @usableFromInline let downstream: Downstream
            @usableFromInline let breakpoint: Breakpoint

            @inlinable
            init(downstream: Downstream, breakpoint: Breakpoint) {
                self.downstream = downstream
                self.breakpoint = breakpoint
            }

            @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

            @inlinable
            func receive(subscription: any Subscription) {
                if breakpoint.receiveSubscription?(subscription) == true { stopInDebugger() }
                downstream.receive(subscription: subscription)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                if breakpoint.receiveOutput?(input) == true { stopInDebugger() }
                return downstream.receive(input)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                if breakpoint.receiveCompletion?(completion) == true { stopInDebugger() }
                downstream.receive(completion: completion)
            }
        }
    }
}

extension Publisher {
    /// Stops in the debugger, by a signal that ends the process without one, when a closure says so.
    @inlinable
    public func breakpoint(
        receiveSubscription: ((any Subscription) -> Bool)? = nil, receiveOutput: ((Output) -> Bool)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
    ) -> Publishers.Breakpoint<Self> {
        Publishers.Breakpoint(
            upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
            receiveCompletion: receiveCompletion)
    }

    /// Stops in the debugger, by a signal that ends the process without one, when the stream fails.
    @inlinable
    public func breakpointOnError() -> Publishers.Breakpoint<Self> {
        breakpoint(receiveCompletion: { completion in
            switch completion {
            case .finished: false
            case .failure: true
            }
        })
    }
}

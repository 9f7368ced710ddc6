extension Publishers {
    /// A publisher that stops in the debugger when a closure returns true.
    public struct Breakpoint<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// Returns whether to stop at a subscription.
        public let receiveSubscription: ((any Subscription) -> Bool)?

        /// Returns whether to stop at a value.
        public let receiveOutput: ((Upstream.Output) -> Bool)?

        /// Returns whether to stop at the completion.
        public let receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Bool)?

        /// Creates the publisher. Nothing runs until a subscriber attaches.
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
        struct Inner<Downstream: Subscriber>: PassingSubscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let breakpoint: Breakpoint

            @inlinable
            init(downstream: Downstream, breakpoint: Breakpoint) {
                self.downstream = downstream
                self.breakpoint = breakpoint
            }

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
    /// Raises a debugger signal when one of the closures returns true. Without a debugger, the signal ends the process.
    @inlinable
    public func breakpoint(
        receiveSubscription: ((any Subscription) -> Bool)? = nil, receiveOutput: ((Output) -> Bool)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
    ) -> Publishers.Breakpoint<Self> {
        Publishers.Breakpoint(
            upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
            receiveCompletion: receiveCompletion)
    }

    /// Raises a debugger signal when the stream fails. Without a debugger, the signal ends the process.
    @inlinable
    public func breakpointOnError() -> Publishers.Breakpoint<Self> {
        breakpoint(receiveCompletion: { completion in
            switch completion {
            // `Completion` is not equatable without an equatable failure, so this is a switch.
            case .finished: false
            case .failure: true
            }
        })
    }
}

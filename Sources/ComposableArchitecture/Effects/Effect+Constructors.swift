public import CombineCore

extension Effect {
    /// An effect that calls a function with a callback, and delivers what the callback is given, once.
    ///
    /// The function runs at each subscription. Calls of the callback after the first do nothing. It may be called from any
    /// thread; the value is delivered there.
    public static func future(
        _ attemptToFulfill: @escaping (@escaping @Sendable (Result<Output, Failure>) -> Void) -> Void
    ) -> Effect {
        Effect(
            Attached { downstream in
                let channel = EffectChannel(downstream)
                downstream.receive(subscription: channel)
                channel.startWork {
                    attemptToFulfill { channel.fulfill($0) }
                    return Subscriptions.empty
                }
            })
    }

    /// An effect that delivers the result of a function, which runs at each subscription.
    public static func result(_ attemptToFulfill: @escaping () -> Result<Output, Failure>) -> Effect {
        .future { $0(attemptToFulfill()) }
    }

    /// An effect that delivers as many values as it likes: the function runs at each subscription, is handed a subscriber
    /// to send to, and returns what stops the work.
    ///
    /// What is sent before somebody asks is kept. The token is cancelled once, when the effect completes or is cancelled;
    /// a subscriber that is kept beyond that does nothing.
    public static func run(_ work: @escaping (Effect.Subscriber) -> any Cancellable) -> Effect {
        Effect(
            Attached { downstream in
                let channel = EffectChannel(downstream)
                downstream.receive(subscription: channel)
                channel.startWork { work(Effect.Subscriber(channel: channel)) }
            })
    }

    /// Runs a function and delivers nothing.
    public static func fireAndForget(_ work: @escaping () -> Void) -> Effect {
        Effect(
            Deferred { () -> Empty<Output, Failure> in
                work()
                return Empty(completeImmediately: true)
            })
    }

    /// What the function of ``Effect/run(_:)-(_)`` sends to.
    public struct Subscriber: Sendable {
        let channel: EffectChannel<Output, Failure>

        /// Delivers a value, or keeps it until somebody asks; does nothing once the effect is over. From any thread.
        public func send(_ value: Output) {
            channel.send(value)
        }

        /// Ends the effect, once what was kept has been delivered.
        public func send(completion: Subscribers.Completion<Failure>) {
            channel.send(completion: completion)
        }
    }
}

extension Effect where Failure == any Error {
    /// An effect that delivers what a function returns, or fails with what it throws. The function runs at each
    /// subscription.
    public static func catching(_ work: @escaping () throws -> Output) -> Effect {
        .future { $0(Result { try work() }) }
    }
}

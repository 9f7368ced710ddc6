public import CombineCore

extension Effect {
    /// Creates an effect that delivers the result that a function passes to its callback.
    ///
    /// The function runs once for each subscription. Only the first call of the callback has an effect. It may be
    /// called from any thread, and the value is delivered on that thread.
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

    /// Creates an effect that delivers the result of a function. The function runs once for each subscription.
    public static func result(_ attemptToFulfill: @escaping () -> Result<Output, Failure>) -> Effect {
        .future { $0(attemptToFulfill()) }
    }

    /// Creates an effect that sends any number of values over time.
    ///
    /// `work` runs once for each subscription. It receives a subscriber to send values to, and returns a token that
    /// stops the work. Values are buffered until there is demand. The token is cancelled once, when the effect
    /// completes or is cancelled; from then on the subscriber ignores values.
    public static func run(_ work: @escaping (Effect.Subscriber) -> any Cancellable) -> Effect {
        Effect(
            Attached { downstream in
                let channel = EffectChannel(downstream)
                downstream.receive(subscription: channel)
                channel.startWork { work(Effect.Subscriber(channel: channel)) }
            })
    }

    /// Creates an effect that runs a function and sends no value.
    public static func fireAndForget(_ work: @escaping () -> Void) -> Effect {
        Effect(
            Deferred { () -> Empty<Output, Failure> in
                work()
                return Empty(completeImmediately: true)
            })
    }

    /// The subscriber that ``Effect/run(_:)-(_)`` passes to its closure.
    public struct Subscriber: Sendable {
        let channel: EffectChannel<Output, Failure>

        /// Sends a value, which is buffered until there is demand. Ignored after the end of the effect. May be called
        /// from any thread.
        public func send(_ value: Output) {
            channel.send(value)
        }

        /// Completes the effect after the buffered values have been delivered.
        public func send(completion: Subscribers.Completion<Failure>) {
            channel.send(completion: completion)
        }
    }
}

extension Effect where Failure == any Error {
    /// Creates an effect that delivers the value that a function returns, or fails with the error that it throws. The
    /// function runs once for each subscription.
    public static func catching(_ work: @escaping () throws -> Output) -> Effect {
        .future { $0(Result { try work() }) }
    }
}

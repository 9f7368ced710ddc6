public import Locking

extension Subscribers {
    /// A subscriber that asks for everything and hands it to two closures.
    ///
    /// The closures are let go of when the stream ends or is cancelled.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
        @usableFromInline let lock = WordLock()
        /// These are guarded by `lock`.
        @exclusivity(unchecked) @usableFromInline var onValue: ((Input) -> Void)?
        @exclusivity(unchecked) @usableFromInline var onCompletion: ((Subscribers.Completion<Failure>) -> Void)?
        @exclusivity(unchecked) @usableFromInline var subscription: Conduit?

        /// What every value is passed to; does nothing once the stream has ended.
        public var receiveValue: (Input) -> Void {
            lock.withLock { onValue } ?? { _ in }
        }

        /// What the completion is passed to; does nothing once the stream has ended.
        public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
            lock.withLock { onCompletion } ?? { _ in }
        }

        /// Makes a subscriber that is not attached to anything.
        @inlinable
        public init(
            receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            onValue = receiveValue
            onCompletion = receiveCompletion
        }

        deinit {
            stayOutOfClients()
        }

        /// Asks for everything; cancels a second subscription and one that comes after the end.
        @inlinable
        public func receive(subscription: any Subscription) {
            let link = Conduit.wrapping(subscription)
            lock.lock()
            if self.subscription != nil || onValue == nil {
                lock.unlock()
                return subscription.cancel()
            }
            self.subscription = link
            lock.unlock()
            link.request(.unlimited)
        }

        /// Passes `value` on.
        @inlinable
        public func receive(_ value: Input) -> Subscribers.Demand {
            lock.lock()
            let onValue = onValue
            lock.unlock()
            onValue?(value)
            return .none
        }

        /// Passes `completion` on and lets go of the closures.
        @inlinable
        public func receive(completion: Subscribers.Completion<Failure>) {
            let taken = takeAll()
            taken.onCompletion?(completion)
        }

        /// Stops the stream and lets go of the closures.
        @inlinable
        public func cancel() {
            takeAll().subscription?.cancel()
        }

        @usableFromInline typealias Parts = (
            onValue: ((Input) -> Void)?, onCompletion: ((Subscribers.Completion<Failure>) -> Void)?,
            subscription: Conduit?
        )

        /// Takes everything out, to be dropped when no lock is held.
        @inlinable
        func takeAll() -> Parts {
            lock.lock()
            let taken = (onValue, onCompletion, subscription)
            onValue = nil
            onCompletion = nil
            subscription = nil
            lock.unlock()
            return taken
        }
    }
}

extension Subscribers.Sink: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
    /// The name of the type without its parameters.
    public var description: String { "Sink" }

    /// A mirror without children: what the closures hold is not shown.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    /// Same as ``description``.
    public var playgroundDescription: Any { description }
}

extension Publisher {
    /// Runs the closures for every value and for the completion, until the returned token is cancelled or goes away.
    @inlinable
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        receive(subscriber: sink)
        return AnyCancellable(sink)
    }
}

extension Publisher where Failure == Never {
    /// Runs `receiveValue` for every value, until the returned token is cancelled or goes away.
    @inlinable
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        let sink = ValueSink(receiveValue)
        receive(subscriber: sink)
        return AnyCancellable(sink)
    }
}

public import Locking

extension Subscribers {
    /// A subscriber that requests unlimited values and passes them to two closures.
    ///
    /// It releases the closures when the stream ends or is cancelled.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
        @usableFromInline let lock = WordLock()
        // Guarded by `lock`, which makes every access exclusive.
        @exclusivity(unchecked) @usableFromInline var onValue: ValueClosure<Input>?
        @exclusivity(unchecked) @usableFromInline var onCompletion: ((Subscribers.Completion<Failure>) -> Void)?
        @exclusivity(unchecked) @usableFromInline var subscription: Conduit?

        /// The closure that receives values. It does nothing once the stream has ended.
        public var receiveValue: (Input) -> Void {
            lock.withLock { onValue }?.call ?? { _ in }
        }

        /// The closure that receives the completion. It does nothing once the stream has ended.
        public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
            lock.withLock { onCompletion } ?? { _ in }
        }

        /// Creates a subscriber that is not attached to a publisher.
        @inlinable
        public init(
            receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            onValue = ValueClosure(call: receiveValue)
            onCompletion = receiveCompletion
        }

        /// Requests unlimited values. Cancels a second subscription, and one that arrives after the end.
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

        /// Passes `value` to the closure.
        @inlinable
        public func receive(_ value: Input) -> Subscribers.Demand {
            lock.lock()
            let onValue = onValue
            lock.unlock()
            // Outside the lock, since the closure may cancel this subscription or block.
            onValue?.call(value)
            return .none
        }

        /// Passes `completion` to the closure and releases both closures.
        @inlinable
        public func receive(completion: Subscribers.Completion<Failure>) {
            let taken = takeAll()
            taken.onCompletion?(completion)
        }

        /// Stops the stream and releases the closures.
        @inlinable
        public func cancel() {
            takeAll().subscription?.cancel()
        }

        @usableFromInline typealias Parts = (
            onValue: ValueClosure<Input>?, onCompletion: ((Subscribers.Completion<Failure>) -> Void)?,
            subscription: Conduit?
        )

        /// Removes and returns all references, so that the caller can release them when no lock is held.
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

    /// A mirror without children; the captures of the closures are not shown.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    /// Same as ``description``.
    public var playgroundDescription: Any { description }
}

extension Publisher {
    /// Runs the closures for every value and for the completion, until the returned token is cancelled or deallocated.
    @inlinable
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        attach(sink)
        return AnyCancellable(sink)
    }
}

extension Publisher where Failure == Never {
    /// Runs `receiveValue` for every value, until the returned token is cancelled or deallocated.
    @inlinable
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        let sink = ValueSink(receiveValue)
        attach(sink)
        return AnyCancellable(sink)
    }
}

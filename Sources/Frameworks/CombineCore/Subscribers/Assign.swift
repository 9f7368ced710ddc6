public import Locking

extension Subscribers {
    /// A subscriber that requests unlimited values and writes each one to a property of an object.
    ///
    /// It holds the object strongly until the stream ends or is cancelled.
    public final class Assign<Root, Input>: Subscriber, Cancellable {
        /// Upstream must not fail, because an object's property cannot store an error.
        public typealias Failure = Never

        @usableFromInline let lock = WordLock()
        // Guarded by `lock`, which makes every access exclusive.
        @exclusivity(unchecked) @usableFromInline var target: Root?
        @exclusivity(unchecked) @usableFromInline var subscription: Conduit?

        /// The key path of the property.
        public let keyPath: ReferenceWritableKeyPath<Root, Input>

        /// The object that is written to; nil once the stream has ended.
        public var object: Root? { lock.withLock { target } }

        /// Creates a subscriber that is not attached to a publisher.
        @inlinable
        public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
            target = object
            self.keyPath = keyPath
        }

        /// Requests unlimited values. Cancels a second subscription, and one that arrives after the end.
        public func receive(subscription: any Subscription) {
            let link = Conduit.wrapping(subscription)
            let kept = lock.withLock {
                if self.subscription != nil || target == nil { return false }
                self.subscription = link
                return true
            }
            if kept {
                subscription.request(.unlimited)
            } else {
                subscription.cancel()
            }
        }

        /// Writes `value` to the property. Before the subscription, it does nothing.
        @inlinable
        public func receive(_ value: Input) -> Subscribers.Demand {
            // The write happens outside the lock: a setter may run foreign code, such as the announcement of a
            // `@Published` property.
            lock.withLock { subscription == nil ? nil : target }?[keyPath: keyPath] = value
            return .none
        }

        /// Releases the object.
        public func receive(completion: Subscribers.Completion<Never>) {
            withExtendedLifetime(takeAll()) {}
        }

        /// Stops the stream and releases the object.
        public func cancel() {
            let taken = takeAll()
            taken.subscription?.cancel()
        }

        /// Removes and returns all references, so that the caller can release them when no lock is held.
        private func takeAll() -> (target: Root?, subscription: Conduit?) {
            lock.withLock {
                let taken = (target, subscription)
                target = nil
                subscription = nil
                return taken
            }
        }
    }
}

extension Subscribers.Assign: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
    /// The text `Assign`, the name of the object's type, and a full stop, like Apple's.
    public var description: String { "Assign \(Root.self)." }

    /// A mirror with the object, the key path and the subscription.
    public var customMirror: Mirror {
        let status: Any = lock.withLock { subscription } as Any
        return Mirror(
            self,
            children: ["object": object as Any, "keyPath": keyPath, "status": status] as KeyValuePairs<String, Any>)
    }

    /// Same as ``description``.
    public var playgroundDescription: Any { description }
}

extension Publisher where Failure == Never {
    /// Writes every value to a property of `object`, which is retained until the returned token is cancelled.
    @inlinable
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        let assign = Subscribers.Assign(object: object, keyPath: keyPath)
        attach(assign)
        return AnyCancellable(assign)
    }
}

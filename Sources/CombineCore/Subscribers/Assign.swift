public import Locking

extension Subscribers {
    /// A subscriber that asks for everything and writes it to a property of an object.
    ///
    /// The object is held strongly until the stream ends or is cancelled.
    public final class Assign<Root, Input>: Subscriber, Cancellable {
        /// Nothing can go wrong upstream: there would be no place for the error.
        public typealias Failure = Never

        @usableFromInline let lock = WordLock()
        /// These are guarded by `lock`.
        @exclusivity(unchecked) @usableFromInline var target: Root?
        @exclusivity(unchecked) @usableFromInline var subscription: Conduit?

        /// The property that is written.
        public let keyPath: ReferenceWritableKeyPath<Root, Input>

        /// The object that is written to; nil once the stream has ended.
        public var object: Root? { lock.withLock { target } }

        /// Makes a subscriber that is not attached to anything.
        @inlinable
        public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
            target = object
            self.keyPath = keyPath
        }

        deinit {
            stayOutOfClients()
        }

        /// Asks for everything; cancels a second subscription and one that comes after the end.
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

        /// Writes `value`.
        @inlinable
        public func receive(_ value: Input) -> Subscribers.Demand {
            lock.withLock { target }?[keyPath: keyPath] = value
            return .none
        }

        /// Lets go of the object.
        public func receive(completion: Subscribers.Completion<Never>) {
            withExtendedLifetime(takeAll()) {}
        }

        /// Stops the stream and lets go of the object.
        public func cancel() {
            let taken = takeAll()
            taken.subscription?.cancel()
        }

        /// Takes everything out, to be dropped when no lock is held.
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
    /// `Assign`, the name of the object's type, and a full stop, as Apple's has it.
    public var description: String { "Assign \(Root.self)." }

    /// A mirror of the three parts.
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
    /// Writes every value to a property of `object`, which is held until the returned token is cancelled.
    @inlinable
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        let assign = Subscribers.Assign(object: object, keyPath: keyPath)
        receive(subscriber: assign)
        return AnyCancellable(assign)
    }
}

public import Locking

extension Publishers {
    /// Lets several subscribers share one subscription to upstream, through a subject.
    ///
    /// Upstream is subscribed to when `connect` is called, whether there are subscribers or not.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
    where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// Fails as upstream does.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public final let upstream: Upstream

        /// Makes the subject that the subscribers are attached to.
        public final let createSubject: () -> SubjectType

        @usableFromInline let lock = WordLock()
        /// Guarded by `lock`; made when it is first needed.
        @exclusivity(unchecked) @usableFromInline var current: SubjectType?

        /// Makes the publisher; nothing happens before somebody subscribes or connects.
        @inlinable
        public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
            self.upstream = upstream
            self.createSubject = createSubject
        }

        deinit {
            stayOutOfClients()
        }

        /// Attaches `subscriber` to the subject.
        @inlinable
        public final func receive<S: Subscriber>(subscriber: S)
        where SubjectType.Failure == S.Failure, SubjectType.Output == S.Input {
            subject().receive(subscriber: subscriber)
        }

        /// Subscribes to upstream; the token, when cancelled, ends that subscription but not the subscribers'.
        @inlinable
        public final func connect() -> any Cancellable {
            upstream.subscribe(subject())
        }

        @usableFromInline
        func subject() -> SubjectType {
            if let subject = lock.withLock({ current }) { return subject }
            let made = createSubject()
            return lock.withLock {
                let subject = current ?? made
                current = subject
                return subject
            }
        }
    }
}

extension Publisher {
    /// Lets several subscribers share one subscription, through the subject that `createSubject` makes.
    @inlinable
    public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
    where Failure == S.Failure, Output == S.Output {
        Publishers.Multicast(upstream: self, createSubject: createSubject)
    }

    /// Lets several subscribers share one subscription, through `subject`.
    @inlinable
    public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
    where Failure == S.Failure, Output == S.Output {
        multicast { subject }
    }
}

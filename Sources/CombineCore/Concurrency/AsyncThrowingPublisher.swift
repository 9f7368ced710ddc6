/// The values of a publisher that may fail, for `for try await`.
///
/// One value is asked for at a time and none is kept, as with ``AsyncPublisher``. Cancelling the task, and leaving the
/// loop, cancels the subscription.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
    /// The values are those of the publisher.
    public typealias Element = P.Output

    @usableFromInline let publisher: P

    /// Makes a sequence of the values of `publisher`; each iterator subscribes on its own.
    @inlinable
    public init(_ publisher: P) {
        self.publisher = publisher
    }

    /// Subscribes.
    @inlinable
    public func makeAsyncIterator() -> Iterator {
        Iterator(publisher)
    }

    /// Waits for one value after another.
    public struct Iterator: AsyncIteratorProtocol {
        /// The values are those of the publisher.
        public typealias Element = P.Output

        @usableFromInline let subscriber: PullSubscriber<P.Output, P.Failure>
        /// Cancels the subscription when the last copy of the iterator goes away.
        @usableFromInline let token: AnyCancellable

        @inlinable
        init(_ publisher: P) {
            subscriber = PullSubscriber()
            token = AnyCancellable(subscriber)
            publisher.subscribe(subscriber)
        }

        /// The next value, or nil when the publisher has finished or the task is cancelled; throws its failure once.
        @inlinable
        nonisolated(nonsending) public mutating func next() async throws -> P.Output? {
            try await subscriber.next().get()
        }
    }
}

extension Publisher {
    /// The values as a sequence for `for try await`, which asks for one at a time.
    @inlinable public var values: AsyncThrowingPublisher<Self> {
        AsyncThrowingPublisher(self)
    }
}

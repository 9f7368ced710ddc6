/// The values of a publisher that never fails, for `for await`.
///
/// One value is asked for at a time and none is kept, so a publisher that does not wait to be asked, such as a
/// ``PassthroughSubject``, loses what it sends while nobody waits. Cancelling the task, and leaving the loop, cancels
/// the subscription.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
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

        @usableFromInline let subscriber: PullSubscriber<P.Output, Never>
        /// Cancels the subscription when the last copy of the iterator goes away.
        @usableFromInline let token: AnyCancellable

        @inlinable
        init(_ publisher: P) {
            subscriber = PullSubscriber()
            token = AnyCancellable(subscriber)
            publisher.subscribe(subscriber)
        }

        /// The next value, or nil when the publisher has finished or the task is cancelled.
        @inlinable
        nonisolated(nonsending) public mutating func next() async -> P.Output? {
            await subscriber.next().get()
        }
    }
}

extension Publisher where Failure == Never {
    /// The values as a sequence for `for await`, which asks for one at a time.
    @inlinable public var values: AsyncPublisher<Self> {
        AsyncPublisher(self)
    }
}

/// The values of a publisher that never fails, as a sequence for `for await`.
///
/// The iterator requests one value at a time and buffers none. A publisher that ignores demand, such as a
/// ``PassthroughSubject``, loses values that it sends while no task is waiting. Cancelling the task or leaving the loop
/// cancels the subscription.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    /// The output type of the publisher.
    public typealias Element = P.Output

    @usableFromInline let publisher: P

    /// Creates a sequence of the values of `publisher`. Each iterator makes its own subscription.
    @inlinable
    public init(_ publisher: P) {
        self.publisher = publisher
    }

    /// Subscribes to the publisher and returns an iterator over its values.
    @inlinable
    public func makeAsyncIterator() -> Iterator {
        Iterator(publisher)
    }

    /// An iterator that waits for one value after another.
    public struct Iterator: AsyncIteratorProtocol {
        /// The output type of the publisher.
        public typealias Element = P.Output

        @usableFromInline let subscriber: PullSubscriber<P.Output, Never>
        /// A token that cancels the subscription when the last copy of the iterator is destroyed.
        @usableFromInline let token: AnyCancellable

        @inlinable
        init(_ publisher: P) {
            subscriber = PullSubscriber()
            token = AnyCancellable(subscriber)
            publisher.attach(subscriber)
        }

        /// Returns the next value, or nil if the publisher has finished or the task is cancelled.
        @inlinable
        nonisolated(nonsending) public mutating func next() async -> P.Output? {
            await subscriber.next().get()
        }
    }
}

extension Publisher where Failure == Never {
    /// The values of this publisher as a sequence for `for await`, which requests one at a time.
    @inlinable public var values: AsyncPublisher<Self> {
        AsyncPublisher(self)
    }
}

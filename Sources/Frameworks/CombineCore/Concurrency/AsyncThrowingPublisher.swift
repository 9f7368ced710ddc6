/// The values of a publisher that may fail, as a sequence for `for try await`.
///
/// The iterator requests one value at a time and buffers none, as that of ``AsyncPublisher`` does. Cancelling the task
/// or leaving the loop cancels the subscription.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
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

        @usableFromInline let subscriber: PullSubscriber<P.Output, P.Failure>
        /// A token that cancels the subscription when the last copy of the iterator is destroyed.
        @usableFromInline let token: AnyCancellable

        @inlinable
        init(_ publisher: P) {
            subscriber = PullSubscriber()
            token = AnyCancellable(subscriber)
            publisher.attach(subscriber)
        }

        /// Returns the next value, or nil if the publisher has finished or the task is cancelled. Throws the
        /// publisher's failure once.
        @inlinable
        nonisolated(nonsending) public mutating func next() async throws -> P.Output? {
            try await subscriber.next().get()
        }
    }
}

extension Publisher {
    /// The values of this publisher as a sequence for `for try await`, which requests one at a time.
    @inlinable public var values: AsyncThrowingPublisher<Self> {
        AsyncThrowingPublisher(self)
    }
}

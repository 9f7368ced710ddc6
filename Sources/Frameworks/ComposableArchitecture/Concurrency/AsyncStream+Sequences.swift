import Locking

/// The iterator of a sequence, which is created on first use.
private final class LazyIterator<Base: AsyncSequence> {
    private let base: Base
    private var iterator: Base.AsyncIterator?

    init(_ base: Base) {
        self.base = base
    }

    func next() async throws -> Base.Element? {
        if iterator == nil { iterator = base.makeAsyncIterator() }
        return try await iterator?.next()
    }
}

extension AsyncStream {
    /// Creates a stream of the elements of any sequence. It ends where the sequence throws an error.
    ///
    /// ```swift
    /// client.changes = { AsyncStream(file.changes) }
    /// ```
    ///
    /// The stream takes an element from the sequence when its own consumer asks for one.
    public init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Element {
        // The one consumer of a stream asks for an element after the other.
        let iterator = UnsafeTransfer(LazyIterator(base))
        self.init { try? await iterator.value.next() }
    }

    /// Returns a stream and the continuation that sends its elements, as `makeStream(of:bufferingPolicy:)` does.
    public static func streamWithContinuation(
        _ elementType: Element.Type = Element.self,
        bufferingPolicy limit: Continuation.BufferingPolicy = .unbounded
    ) -> (stream: AsyncStream, continuation: Continuation) {
        makeStream(of: elementType, bufferingPolicy: limit)
    }
}

extension AsyncThrowingStream where Failure == any Error {
    /// Creates a stream of the elements of any sequence, and of the error that it throws.
    ///
    /// The stream takes an element from the sequence when its own consumer asks for one.
    public init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Element {
        let iterator = UnsafeTransfer(LazyIterator(base))
        self.init { try await iterator.value.next() }
    }

    /// Returns a stream and the continuation that sends its elements, as `makeStream(of:throwing:bufferingPolicy:)` does.
    public static func streamWithContinuation(
        _ elementType: Element.Type = Element.self,
        bufferingPolicy limit: Continuation.BufferingPolicy = .unbounded
    ) -> (stream: AsyncThrowingStream, continuation: Continuation) {
        makeStream(of: elementType, bufferingPolicy: limit)
    }
}

extension AsyncSequence where Self: Sendable {
    /// Returns a stream of the elements, which ends where the sequence throws an error.
    public func eraseToStream() -> AsyncStream<Element> { AsyncStream(self) }

    /// Returns a stream of the elements and of the error that the sequence throws.
    public func eraseToThrowingStream() -> AsyncThrowingStream<Element, any Error> { AsyncThrowingStream(self) }
}

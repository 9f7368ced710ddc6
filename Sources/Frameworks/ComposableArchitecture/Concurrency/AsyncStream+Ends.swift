extension AsyncStream {
    /// A stream without elements that does not end before its task is cancelled.
    public static var never: AsyncStream { AsyncStream { _ in } }

    /// A stream without elements that has ended.
    public static var finished: AsyncStream { AsyncStream { $0.finish() } }
}

extension AsyncThrowingStream where Failure == any Error {
    /// A stream without elements that does not end before its task is cancelled.
    public static var never: AsyncThrowingStream { AsyncThrowingStream { _ in } }

    /// A stream without elements that has ended, with an error or without one.
    public static func finished(throwing error: (any Error)? = nil) -> AsyncThrowingStream {
        AsyncThrowingStream { $0.finish(throwing: error) }
    }
}

extension Task where Success == Never, Failure == Never {
    /// Suspends the calling task until it is cancelled.
    ///
    /// - Throws: `CancellationError`.
    public static func never() async throws -> Success {
        for await element in AsyncStream<Never>.never { return element }
        throw _Concurrency.CancellationError()
    }
}

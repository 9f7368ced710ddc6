extension Task where Success == Never, Failure == Never {
    /// Lets other tasks run, for tests of code that starts tasks. Prefer to wait for their effects: no number of turns is enough for all
    /// tasks.
    ///
    /// - Parameter count: The number of turns. The other tasks have the precedence in each of them.
    public static func megaYield(count: Int = 20) async {
        for _ in 0..<count {
            await Task<Void, Never>.detached(priority: .background) { await Task.yield() }.value
        }
    }
}

extension Task where Failure == Never {
    /// Suspends the calling task until it is cancelled.
    ///
    /// - Throws: `CancellationError`.
    public static func never() async throws -> Success {
        for await element in AsyncStream<Success>.never { return element }
        throw _Concurrency.CancellationError()
    }

    /// The result of the task, which is cancelled with the task that waits for it.
    public var cancellableValue: Success {
        get async {
            await withTaskCancellationHandler {
                await value
            } onCancel: {
                cancel()
            }
        }
    }
}

extension Task where Failure == any Error {
    /// The result of the task, which is cancelled with the task that waits for it.
    public var cancellableValue: Success {
        get async throws {
            try await withTaskCancellationHandler {
                try await value
            } onCancel: {
                cancel()
            }
        }
    }
}

extension Result {
    /// Creates the result of an asynchronous closure: its value, or the error that it throws.
    nonisolated(nonsending) public init(catching body: () async throws(Failure) -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}

extension Future where Failure == Never {
    /// The value, as soon as the promise is kept; waits for it even if the task is cancelled.
    nonisolated(nonsending) public final var value: Output {
        get async { await result().get() }
    }
}

extension Future {
    /// The value, as soon as the promise is kept, or the failure, thrown; waits even if the task is cancelled.
    nonisolated(nonsending) public final var value: Output {
        get async throws { try await result().get() }
    }

    nonisolated(nonsending) private func result() async -> Result<Output, Failure> {
        let subscriber = PullSubscriber<Output, Failure>()
        subscribe(subscriber)
        switch await subscriber.nextRegardless() {
        case .success(let value?): return .success(value)
        case .failure(let error): return .failure(error)
        case .success(nil): preconditionFailure("A future ended without a result.")
        }
    }
}

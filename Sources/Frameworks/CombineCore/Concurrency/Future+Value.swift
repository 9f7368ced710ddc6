extension Future where Failure == Never {
    /// The value, once the promise is fulfilled. The access waits even if the task is cancelled.
    nonisolated(nonsending) public final var value: Output {
        get async { await result().get() }
    }
}

extension Future {
    /// The value, once the promise is fulfilled; throws the failure instead, if there is one. The access waits even if
    /// the task is cancelled.
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

import Locking

extension EffectScope {
    /// Returns the result of a closure that starts a task. In a hosted session, the task belongs to this scope even if no scope is
    /// current, so that it sees the session's shared values.
    func start<Result>(_ body: () -> Result) -> Result {
        if sessionStorage == nil || EffectScope.current === self { return body() }
        guard let overridden = DependencyValues.bound else { return run(body) }
        return run { DependencyValues.$bound.withValue(overridden, operation: body) }
    }

    /// Runs `action` where the store is confined. Returns when it has run, or when it can no longer run because the
    /// session has ended. A test that waits neither for its store nor for a clock or scheduler runs it later: the task continues.
    func deliverAndWait(_ action: @escaping () -> Void) async {
        if case .direct = delivery { return action() }
        if case .test(let actionQueue) = delivery { return await actionQueue.perform(action) }
        await withCheckedContinuation { continuation in
            let completion = OneTimeResume(continuation)
            deliver {
                action()
                completion.resume()
            }
        }
    }
}

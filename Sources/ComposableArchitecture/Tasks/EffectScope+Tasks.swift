import Locking

extension EffectScope {
    /// Runs `action` where the store is confined. Returns when it has run, or when it can no longer run because the
    /// session has ended. A test that does something else runs it later: the task continues, as on a clock that the test advances.
    func deliverAndWait(_ action: @escaping () -> Void) async {
        if case .direct = delivery { return action() }
        if case .test(let actionQueue) = delivery, !actionQueue.isAttended { return deliver(action) }
        await withCheckedContinuation { continuation in
            let completion = OneTimeResume(continuation)
            deliver {
                action()
                completion.resume()
            }
        }
    }
}

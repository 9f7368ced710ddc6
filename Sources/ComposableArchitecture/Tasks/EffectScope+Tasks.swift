import Locking

extension EffectScope {
    /// Runs `action` where the store is confined. Returns when it has run, or when it can no longer run because the
    /// session has ended.
    func deliverAndWait(_ action: @escaping () -> Void) async {
        if case .direct = delivery { return action() }
        await withCheckedContinuation { continuation in
            let completion = OneTimeResume(continuation)
            deliver {
                action()
                completion.resume()
            }
        }
    }
}

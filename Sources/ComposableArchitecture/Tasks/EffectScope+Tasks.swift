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

/// Resumes a continuation once: when it is resumed, or when its last reference is released.
private final class OneTimeResume: Sendable {
    private let continuation: Lock<CheckedContinuation<Void, Never>?>

    init(_ continuation: CheckedContinuation<Void, Never>) {
        self.continuation = Lock(continuation)
    }

    // A session that ends drops its scheduled closures without running them. Without this, the sending task would wait
    // forever.
    deinit {
        resume()
    }

    func resume() {
        let taken = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        taken?.resume()
    }
}

import Locking

extension EffectHome {
    /// Runs `action` where the store is confined. Returns when it has run, or when it can no longer run because the
    /// session has ended.
    func hand(_ action: @escaping () -> Void) async {
        if case .direct = delivery { return action() }
        await withCheckedContinuation { continuation in
            let receipt = Receipt(continuation)
            deliver {
                action()
                receipt.sign()
            }
        }
    }
}

/// Resumes a continuation once: when it is signed, or when its last reference is released.
private final class Receipt: Sendable {
    private let continuation: Lock<CheckedContinuation<Void, Never>?>

    init(_ continuation: CheckedContinuation<Void, Never>) {
        self.continuation = Lock(continuation)
    }

    // A session that ends drops its scheduled closures without running them. Without this, the sending task would wait
    // forever.
    deinit {
        sign()
    }

    func sign() {
        let taken = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        taken?.resume()
    }
}

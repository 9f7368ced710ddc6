import Locking

extension EffectHome {
    /// Runs `action` where the store's work is done, and returns when that has happened, or when it will not any more
    /// because the session has ended.
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

/// Resumes a continuation once: when it is signed, or when nobody is left who could.
private final class Receipt: Sendable {
    private let continuation: Lock<CheckedContinuation<Void, Never>?>

    init(_ continuation: CheckedContinuation<Void, Never>) {
        self.continuation = Lock(continuation)
    }

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

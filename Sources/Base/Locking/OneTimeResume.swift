/// Resumes a continuation once: when it is resumed, or when its last reference is released.
package final class OneTimeResume: Sendable {
    private let continuation: Lock<CheckedContinuation<Void, Never>?>

    package init(_ continuation: CheckedContinuation<Void, Never>) {
        self.continuation = Lock(continuation)
    }

    // A session that ends drops its scheduled closures without running them. Without this, the task that waits for one
    // of them would wait forever.
    deinit {
        resume()
    }

    /// Resumes the continuation, unless that has happened.
    package func resume() {
        let taken = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        taken?.resume()
    }
}

import HTTPModel

/// The remembered requests of a loop for new sessions. Confined to the loop.
final class RememberedCreations {
    let limits: IdempotencyWindow.Limits
    private let host: SessionHost
    /// Nil until the first request.
    private var window: IdempotencyWindow?
    /// The bytes that the host counts for them.
    private var chargedBytes = 0

    init(in host: SessionHost, loops: Int) {
        self.host = host
        limits = host.configuration.creationLimits(loops: loops)
    }

    deinit {
        host.release(chargedBytes)
    }

    var count: Int { window?.count ?? 0 }

    /// Calls a closure with the requests, which may change.
    func use<Result, Failure>(_ body: (IdempotencyWindow) throws(Failure) -> Result) throws(Failure) -> Result {
        let window = window ?? IdempotencyWindow()
        self.window = window
        defer { charge(window) }
        return try body(window)
    }

    /// Forgets the requests that are too old.
    func expire(now: MonotonicTime) {
        guard let window else { return }
        window.expire(now: now)
        charge(window)
    }

    func contains(_ key: RequestDigest) -> Bool { window?.contains(key) == true }

    /// Returns the response to a key; nil if it is not remembered.
    func response(to key: RequestDigest) -> [UInt8]? { window?.response(to: key) }

    /// Updates the bytes that the host counts, rounded.
    private func charge(_ window: IdempotencyWindow) {
        guard let charge = RetentionStep.roundedCharge(for: window.byteCount, now: chargedBytes) else { return }
        host.retain(charge - chargedBytes)
        chargedBytes = charge
    }
}

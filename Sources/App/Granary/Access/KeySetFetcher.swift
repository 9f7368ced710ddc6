import Access
import CLinux
import Dispatch
import Foundation
import HTTPModel
import Locking

/// Fetches the keys of one issuer from its URL, in the background.
final class KeySetFetcher: Sendable {
    private struct State {
        var refresh: KeySetRefresh
        var isRunning = false
        /// The time at which the timer fires; nil if it is not set.
        var timer: MonotonicTime?
        var content: Digest?
    }

    let issuer: String
    private let url: URL
    private let download: KeySetDownload
    private let received: @Sendable (Result<KeySet, OperatorError>) -> Void
    private let state: Lock<State>
    private let clock: @Sendable () -> MonotonicTime
    private let queue = DispatchQueue(label: "granary.keys")

    /// Creates a fetcher that does nothing yet.
    ///
    /// - Parameters:
    ///   - url: The URL of its JWK set.
    ///   - interval: The interval at which it is fetched again.
    ///   - timeout: The time for a complete document.
    ///   - clock: Returns the time, which tests control.
    ///   - received: Called with new keys, and with the reason of each failure. Not called for keys that are unchanged.
    init(
        issuer: String, url: URL, interval: Duration, timeout: Duration = .seconds(10),
        clock: @escaping @Sendable () -> MonotonicTime = KeySetFetcher.now,
        received: @escaping @Sendable (Result<KeySet, OperatorError>) -> Void
    ) {
        self.issuer = issuer
        self.url = url
        self.received = received
        self.clock = clock
        download = KeySetDownload(timeout: timeout)
        state = Lock(State(refresh: KeySetRefresh(interval: interval, now: clock())))
    }

    /// Starts to fetch the keys.
    func begin() {
        state.withLock { $0.isRunning = true }
        perform { $0.timerFired(at: $1) }
    }

    /// Stops, and cancels a request in flight.
    func end() {
        state.withLock { $0.isRunning = false }
        download.cancel()
    }

    /// A token has named a key that the issuer does not have. Callable on an event loop: it does not wait.
    func unknownKeySeen() { perform { $0.unknownKeySeen(at: $1) } }

    private func perform(_ event: (inout KeySetRefresh, MonotonicTime) -> KeySetRefresh.Action) {
        let (mustFetch, delay) = state.withLock { state -> (Bool, Duration?) in
            guard state.isRunning else { return (false, nil) }
            let now = clock()
            let action = event(&state.refresh, now)
            return (action == .fetch, action == .fetch ? nil : KeySetFetcher.delay(of: &state, at: now))
        }
        if mustFetch {
            queue.async { [self] in download.start(url) { [weak self] result in self?.finished(result) } }
        }
        schedule(delay)
    }

    /// Returns the time until the timer has to fire; nil if it is set already.
    private static func delay(of state: inout State, at now: MonotonicTime) -> Duration? {
        let wakeTime = state.refresh.wakeTime
        if let timer = state.timer, timer <= wakeTime { return nil }
        state.timer = wakeTime
        return wakeTime > now ? wakeTime - now : .zero
    }

    private func schedule(_ delay: Duration?) {
        guard let delay else { return }
        let milliseconds = Int(delay.wholeMilliseconds) + 1
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in self?.timerFired() }
    }

    private func timerFired() {
        state.withLock { state in
            if let timer = state.timer, timer <= clock() { state.timer = nil }
        }
        perform { $0.timerFired(at: $1) }
    }

    private func finished(_ result: Result<[UInt8], OperatorError>) {
        let (outcome, delay) = state.withLock { state -> (Result<KeySet, OperatorError>?, Duration?) in
            guard state.isRunning else { return (nil, nil) }
            let now = clock()
            let outcome = KeySetFetcher.outcome(of: result, &state, issuer, at: now)
            return (outcome, KeySetFetcher.delay(of: &state, at: now))
        }
        if let outcome { received(outcome) }
        schedule(delay)
    }

    /// Returns the new keys, or why there are none; nil if they are unchanged.
    private static func outcome(
        of result: Result<[UInt8], OperatorError>, _ state: inout State, _ issuer: String, at now: MonotonicTime
    ) -> Result<KeySet, OperatorError>? {
        switch result {
        case .failure(let error):
            state.refresh.failed(at: now)
            return .failure(error)
        case .success(let bytes):
            do throws(AccessConfigurationError) {
                let keys = try state.refresh.fetched(bytes, at: now)
                let digest = bytes.withUnsafeBytes { Digest.sha256($0) }
                defer { state.content = digest }
                return digest == state.content ? nil : .success(keys)
            } catch {
                return .failure(OperatorError("access.jwt: the keys of \(issuer): \(error.description)"))
            }
        }
    }

    @Sendable static func now() -> MonotonicTime { MonotonicTime(nanoseconds: granary_monotonic_nanoseconds()) }
}

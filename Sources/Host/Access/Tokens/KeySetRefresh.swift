package import HTTPModel

/// Decides when the keys of an issuer are fetched from its URL. A value without I/O: its owner fetches, and reports the
/// results.
///
/// Keys are fetched at the start, then in an interval, and when a token names an unknown key, but then at most every 10 s.
/// A failure keeps the keys that were fetched before, and is retried after an increasing time.
package struct KeySetRefresh: Sendable {
    /// The action that the owner must perform.
    package enum Action: Equatable, Sendable {
        /// Fetch the URL, and report the result with ``fetched(_:at:)`` or ``failed(at:)``.
        case fetch
        /// Nothing before ``wakeTime``.
        case wait
    }

    private enum State: Equatable {
        case idle
        /// A key was unknown during a fetch: another one may be necessary.
        case fetching(again: Bool)
    }

    /// The minimum time between two fetches.
    package static let leastGap = Duration.seconds(10)

    private let interval: Duration
    private var state = State.idle
    private var failures = 0
    private var lastStart: MonotonicTime?

    /// The time at which the owner calls ``timerFired(at:)``.
    package private(set) var wakeTime: MonotonicTime

    /// Creates the state of an issuer whose keys have not been fetched.
    package init(interval: Duration = .seconds(600), now: MonotonicTime) {
        self.interval = max(interval, KeySetRefresh.leastGap)
        wakeTime = now
    }

    /// The timer has fired, or the owner starts.
    package mutating func timerFired(at now: MonotonicTime) -> Action {
        guard state == .idle, now >= wakeTime else { return .wait }
        return start(at: now)
    }

    /// A token has named a key that the set does not have.
    package mutating func unknownKeySeen(at now: MonotonicTime) -> Action {
        guard state == .idle else {
            state = .fetching(again: true)
            return .wait
        }
        guard let lastStart, now < lastStart + KeySetRefresh.leastGap else { return start(at: now) }
        // The key may be newer than the last fetch. Clients could name keys without end, so it waits its turn.
        wakeTime = min(wakeTime, lastStart + KeySetRefresh.leastGap)
        return .wait
    }

    /// The content was fetched.
    ///
    /// - Returns: The keys to install.
    /// - Throws: If the content is not a set of usable keys. Then the previous keys stay.
    package mutating func fetched(_ content: [UInt8], at now: MonotonicTime) throws(AccessConfigurationError) -> KeySet
    {
        let keys: KeySet
        do throws(AccessConfigurationError) {
            // A set behind a URL is public, so a secret in it protects nothing.
            keys = try KeySet(jwkSet: content, allowsSecrets: false)
        } catch {
            failed(at: now)
            throw error
        }
        failures = 0
        finish(next: now + interval)
        return keys
    }

    /// The URL could not be fetched. The previous keys stay.
    package mutating func failed(at now: MonotonicTime) {
        failures = min(failures + 1, 6)
        finish(next: now + min(KeySetRefresh.leastGap * (1 << (failures - 1)), interval))
    }

    private mutating func start(at now: MonotonicTime) -> Action {
        state = .fetching(again: false)
        lastStart = now
        return .fetch
    }

    private mutating func finish(next: MonotonicTime) {
        wakeTime = next
        if state == .fetching(again: true), let lastStart {
            wakeTime = min(wakeTime, lastStart + KeySetRefresh.leastGap)
        }
        state = .idle
    }
}

/// How often and how fast a client tries again.
public struct RetryPolicy: Equatable, Sendable {
    /// The longest pause after the first failure. The pauses double from there.
    public var firstDelay: Duration
    /// The longest pause between two attempts, unless the server asks for more patience.
    public var longestDelay: Duration
    /// The longest pause that a server can ask for with `Retry-After` or `retry`.
    public var longestServerDelay: Duration
    /// The number of failures in a row after which the client gives up.
    public var maxAttempts: Int
    /// How long a stream must have worked for its failures to be forgotten.
    public var settled: Duration

    /// Creates a policy. With the defaults, a client gives up after five to ten minutes without a server.
    public init(
        firstDelay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(30),
        longestServerDelay: Duration = .seconds(300), maxAttempts: Int = 25, settled: Duration = .seconds(10)
    ) {
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.longestServerDelay = longestServerDelay
        self.maxAttempts = maxAttempts
        self.settled = settled
    }

    /// Returns the pause after a failure: between half and all of a time that doubles with each failure.
    ///
    /// - Parameters:
    ///   - failures: The number of failures in a row, from 1.
    ///   - jitter: A random number from 0 to 1, so that clients that lost the same server do not return together.
    ///   - minimum: What the server has asked for.
    func delay(afterFailure failures: Int, jitter: Double, atLeast minimum: Duration = .zero) -> Duration {
        let doublings = min(max(failures - 1, 0), 30)
        let full = min(firstDelay * (1 << doublings), longestDelay)
        let pause = full / 2 + full / 2 * min(max(jitter, 0), 1)
        return max(pause, min(minimum, longestServerDelay))
    }
}

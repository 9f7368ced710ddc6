import HTTPModel

/// A rate: a number of requests in a time, which is also the size of a burst.
package struct RateLimit: Hashable, Sendable {
    /// The name, which clients see: `inputs`. Letters, digits and hyphens.
    package let name: String
    /// The number of requests.
    package let quota: Int
    /// The time, in whole seconds.
    package let window: Duration
    /// The part of the quota that a request takes. Rounded down, so that the whole quota can be taken.
    let tokenCost: Int64
    let windowNanoseconds: UInt64

    /// Creates a rate. A quota or window of less than 1 becomes 1.
    package init(_ name: String, quota: Int, window: Duration) {
        self.name = name
        self.quota = max(1, quota)
        self.window = .seconds(max(1, window.components.seconds))
        tokenCost = max(1, RateShare.entire / Int64(self.quota))
        windowNanoseconds = UInt64(self.window.wholeNanoseconds)
    }
}

/// The result of a request to a bucket.
package struct RateDecision: Equatable, Sendable {
    /// Whether the request is within the rate.
    package let isAllowed: Bool
    /// The number of further requests that are permitted now.
    package internal(set) var remaining: Int
    /// The time after which a rejected request is permitted; zero if it was permitted.
    package internal(set) var retryAfter: Duration
    /// The time after which the whole quota is available again.
    package let reset: Duration
}

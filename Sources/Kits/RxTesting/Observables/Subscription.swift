/// The times at which a subscription began and ended.
public struct Subscription: Hashable, Sendable {
    /// The time of the subscription.
    public let subscribe: TestTime
    /// The time of the disposal; `TestTime.max` if the subscription was not disposed of.
    public let unsubscribe: TestTime

    /// Creates a subscription with the given times. Without `unsubscribe`, it has not ended.
    public init(_ subscribe: TestTime, _ unsubscribe: TestTime = .max) {
        self.subscribe = subscribe
        self.unsubscribe = unsubscribe
    }
}

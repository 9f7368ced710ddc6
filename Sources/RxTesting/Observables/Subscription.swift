/// When a stream was subscribed to, and when it was left.
public struct Subscription: Hashable, Sendable {
    /// When it was subscribed to.
    public let subscribe: TestTime
    /// When the subscription was disposed of; the largest number if it was not.
    public let unsubscribe: TestTime

    /// A subscription that goes on, or has ended.
    public init(_ subscribe: TestTime, _ unsubscribe: TestTime = .max) {
        self.subscribe = subscribe
        self.unsubscribe = unsubscribe
    }
}

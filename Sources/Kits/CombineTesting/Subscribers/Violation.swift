/// A violation of the rules between a publisher and its subscriber, as observed by a ``RecordingSubscriber``.
public enum Violation: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// A value arrived before a subscription.
    case valueBeforeSubscription = "a value arrived before the subscription"
    /// The stream ended before a subscription.
    case completionBeforeSubscription = "the completion arrived before the subscription"
    /// A second subscription arrived; a subscriber has one.
    case secondSubscription = "a second subscription arrived"
    /// More values arrived than had been requested.
    case valueWithoutDemand = "a value arrived without demand"
    /// A value arrived after the end of the stream.
    case valueAfterCompletion = "a value arrived after the completion"
    /// The stream ended twice.
    case secondCompletion = "a second completion arrived"
    /// A value arrived after the subscriber had cancelled.
    case valueAfterCancellation = "a value arrived after the cancellation"
    /// The stream ended after the subscriber had cancelled.
    case completionAfterCancellation = "the completion arrived after the cancellation"
    /// Two threads delivered at the same time.
    case overlappingDeliveries = "two threads delivered at the same time"

    /// The violation as a clause.
    public var description: String { rawValue }
}

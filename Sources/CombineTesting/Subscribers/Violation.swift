/// A violation of the rules between a publisher and its subscriber, as observed by a ``RecordingSubscriber``.
public enum Violation: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// A value arrived before a subscription.
    case valueBeforeSubscription = "a value came before the subscription"
    /// The stream ended before a subscription.
    case completionBeforeSubscription = "the completion came before the subscription"
    /// A second subscription arrived; a subscriber has one.
    case secondSubscription = "a second subscription came"
    /// More values arrived than had been requested.
    case valueNotAskedFor = "a value came that had not been asked for"
    /// A value arrived after the end of the stream.
    case valueAfterCompletion = "a value came after the completion"
    /// The stream ended twice.
    case secondCompletion = "a second completion came"
    /// A value arrived after the subscriber had cancelled.
    case valueAfterCancellation = "a value came after the cancellation"
    /// The stream ended after the subscriber had cancelled.
    case completionAfterCancellation = "the completion came after the cancellation"
    /// Two threads delivered at the same time.
    case overlappingDeliveries = "two threads delivered at the same time"

    /// The violation as a clause.
    public var description: String { rawValue }
}

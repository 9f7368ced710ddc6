/// A breach of the rules between a publisher and its subscriber, as a ``RecordingSubscriber`` saw it.
public enum Violation: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// A value came although there was no subscription yet.
    case valueBeforeSubscription = "a value came before the subscription"
    /// The stream ended although there was no subscription yet.
    case completionBeforeSubscription = "the completion came before the subscription"
    /// Another subscription came; a subscriber has one.
    case secondSubscription = "a second subscription came"
    /// More values came than had been asked for.
    case valueNotAskedFor = "a value came that had not been asked for"
    /// A value came after the end of the stream.
    case valueAfterCompletion = "a value came after the completion"
    /// The stream ended twice.
    case secondCompletion = "a second completion came"
    /// A value came after the subscriber had cancelled.
    case valueAfterCancellation = "a value came after the cancellation"
    /// The stream ended after the subscriber had cancelled.
    case completionAfterCancellation = "the completion came after the cancellation"
    /// Two threads delivered at the same time.
    case overlappingDeliveries = "two threads delivered at the same time"

    /// The breach as part of a sentence.
    public var description: String { rawValue }
}

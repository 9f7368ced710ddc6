/// A subscriber that can be let go of, in one word: itself if it is an object, or else in a box.
///
/// The destructor of a generic class is not specialised, so it looks up the type of each property that is generic in a
/// more than trivial way, such as an optional subscriber. This type lies in memory like a reference whatever the
/// subscriber is. It is for links that are made for every value; others hold the subscriber in place.
@usableFromInline
@frozen
struct HeldSubscriber<Held: Subscriber> {
    @usableFromInline var object: AnyObject?

    @inlinable
    init(_ subscriber: Held) {
        if Held.self is AnyObject.Type {
            // A cast would go through the bridging of the run-time.
            object = withUnsafePointer(to: subscriber) { UnsafeRawPointer($0).load(as: AnyObject.self) }
        } else {
            object = SubscriberHolder(subscriber)
        }
    }

    @inlinable var subscriber: Held? {
        guard let object else { return nil }
        if Held.self is AnyObject.Type { return unsafeBitCast(object, to: Held.self) }
        return unsafeDowncast(object, to: SubscriberHolder<Held>.self).subscriber
    }
}

@usableFromInline
final class SubscriberHolder<Held: Subscriber> {
    @usableFromInline let subscriber: Held

    @inlinable
    init(_ subscriber: Held) {
        self.subscriber = subscriber
    }
}

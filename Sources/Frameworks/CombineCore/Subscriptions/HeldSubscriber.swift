/// A subscriber that can be released, stored in one word: the subscriber itself if it is an object, or else a box.
///
/// It is for conduits that are created for every value, such as those inside `flatMap`. Others store the subscriber
/// directly.
// The destructor of a generic class is not specialized: it looks up the type of each property whose layout depends on a
// generic parameter, such as an optional subscriber. This type has the layout of a reference for every subscriber.
@usableFromInline
struct HeldSubscriber<Held: Subscriber> {
    @usableFromInline var object: AnyObject?

    @inlinable
    init(_ subscriber: Held) {
        if Held.self is AnyObject.Type {
            // A conditional cast would consider bridging at run time, for every subscription.
            object = withUnsafePointer(to: subscriber) { UnsafeRawPointer($0).load(as: AnyObject.self) }
        } else {
            object = SubscriberHolder(subscriber)
        }
    }

    @inlinable var subscriber: Held? {
        guard let object else { return nil }
        // Sound because `init` stored either the object itself or a box of exactly this type.
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

import Glibc

/// The depth of subscriptions that conduits make from inside each other on the calling thread.
///
/// A stream that subscribes to itself repeatedly, and synchronously, would exhaust the stack. So the conduits that
/// subscribe to a publisher in the middle of a stream count their nested subscriptions. Up to ``limit`` they subscribe
/// immediately, like Apple's; beyond it they postpone until the innermost subscription in progress has returned.
@usableFromInline
enum Nesting {
    /// The depth from which subscriptions, and the nested deliveries of a subject, are postponed.
    @inlinable static var limit: Int { 64 }

    /// The counters of the calling thread, which live as long as the thread.
    @usableFromInline static var counters: UnsafeMutablePointer<NestingCounters> {
        guard let counters = pthread_getspecific(key) else { return makeCounters() }
        return counters.assumingMemoryBound(to: NestingCounters.self)
    }

    // Not a ``ThreadLocal``, which does not own its object: these counters belong to the thread and are freed by the
    // key's destructor when the thread exits.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { memory in
            guard let counters = memory?.assumingMemoryBound(to: NestingCounters.self) else { return }
            counters.deinitialize(count: 1)
            counters.deallocate()
        }
        precondition(status == 0, "Could not create a thread-local variable: error \(status)")
        return key
    }()

    @inline(never)
    private static func makeCounters() -> UnsafeMutablePointer<NestingCounters> {
        let counters = UnsafeMutablePointer<NestingCounters>.allocate(capacity: 1)
        counters.initialize(to: NestingCounters())
        pthread_setspecific(key, counters)
        return counters
    }
}

@usableFromInline
struct NestingCounters {
    @usableFromInline var subscriptions = 0
    /// The number of publishers that are being deallocated, each inside the one that held it.
    @usableFromInline var releases = 0
    /// Publishers to release once those deallocations are done.
    @usableFromInline var released: ContiguousArray<AnyObject> = []
}

/// An owner of a publisher that may contain another such owner, and so on. It releases such a chain without deep
/// recursion.
@usableFromInline
final class ChainedPublisher<P: Publisher> {
    @usableFromInline var publisher: P?

    @usableFromInline
    init(_ publisher: P) {
        self.publisher = publisher
    }

    deinit {
        let counters = Nesting.counters
        guard counters.pointee.releases < Nesting.limit else {
            // A new owner takes over the publisher, because `self` is already being deallocated and cannot be retained.
            if let publisher { counters.pointee.released.append(ChainedPublisher(publisher)) }
            return
        }
        counters.pointee.releases += 1
        publisher = nil
        if counters.pointee.releases == 1 {
            while let next = counters.pointee.released.popLast() { withExtendedLifetime(next) {} }
        }
        counters.pointee.releases -= 1
    }
}

/// A publisher of which programs build long chains, each erased inside the next: the concatenation.
@usableFromInline
protocol ChainablePublisher {}

/// The subscriber part of a conduit that can continue with another publisher in place of its upstream.
@usableFromInline
protocol ReplaceableSubscriber {
    /// Replaces the upstream, which is about to end, by `next`, an ``AnyPublisher`` with the types of the subscriber.
    /// The conduit subscribes to `next` when the subscription that it is making further up this thread's stack has
    /// returned.
    ///
    /// - Returns: Whether the conduit is making such a subscription and took `next`.
    func replaceUpstream(with next: Any) -> Bool

    /// Runs `task` when a subscription that this conduit, or one further downstream, is making on this thread has
    /// returned.
    ///
    /// - Returns: Whether there is such a subscription.
    func postpone(_ task: @escaping () -> Void) -> Bool
}

extension Nesting {
    /// Returns the subscriber behind `subscriber`, which may be type-erased, if its upstream can be replaced.
    @usableFromInline
    static func replaceable(_ subscriber: Any) -> (any ReplaceableSubscriber)? {
        let plain = (subscriber as? any TypeErasingSubscriber)?.underlyingSubscriber ?? subscriber
        return plain as? any ReplaceableSubscriber
    }
}

@usableFromInline
protocol TypeErasingSubscriber {
    var underlyingSubscriber: Any { get }
}

extension AnySubscriber: TypeErasingSubscriber {
    @usableFromInline var underlyingSubscriber: Any { box.underlying }
}

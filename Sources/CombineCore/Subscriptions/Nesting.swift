import Glibc

/// How deep subscriptions that links make from inside each other are nested on the calling thread.
///
/// A stream that subscribes to itself again and again, and does everything synchronously, would use up the stack. So the
/// links that subscribe to a publisher in the middle of a stream count here. Up to ``limit`` they do so at once, as
/// Apple's do; from there on they put it off until the innermost subscription in progress has returned.
@usableFromInline
enum Nesting {
    /// The depth from which on subscriptions are put off, and nested deliveries of a subject, too.
    @inlinable static var limit: Int { 64 }

    /// The calling thread's counters, which live as long as the thread.
    @usableFromInline static var counters: UnsafeMutablePointer<NestingCounters> {
        guard let counters = pthread_getspecific(key) else { return makeCounters() }
        return counters.assumingMemoryBound(to: NestingCounters.self)
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { memory in
            guard let counters = memory?.assumingMemoryBound(to: NestingCounters.self) else { return }
            counters.deinitialize(count: 1)
            counters.deallocate()
        }
        precondition(status == 0, "No slot for a thread-local variable: error \(status)")
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

/// What is nested on one thread.
@usableFromInline
@frozen
struct NestingCounters {
    /// How many subscriptions are nested.
    @usableFromInline var subscriptions = 0
    /// How many publishers are being released, each inside the one that held it.
    @usableFromInline var releases = 0
    /// What is to be released when those have been.
    @usableFromInline var released: ContiguousArray<AnyObject> = []
}

/// Holds a publisher that may hold another one like it, and so on: such a chain is released without a deep recursion.
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

/// A publisher of which users make long chains, each hidden in the next: the concatenation.
@usableFromInline
protocol ChainablePublisher {}

/// The subscriber of a link that can go on with another publisher in place of its upstream.
@usableFromInline
protocol ReplaceableSubscriber {
    /// Takes `next`, an ``AnyPublisher`` of the subscriber's types, in place of the upstream, which is about to end; it is
    /// subscribed to when the subscription that the link is making on this thread, further out, has returned.
    ///
    /// - Returns: Whether there is such a subscription and `next` was taken.
    func replaceUpstream(with next: Any) -> Bool

    /// Runs `task` when a subscription that the link, or one further downstream, is making on this thread has returned.
    ///
    /// - Returns: Whether there is such a subscription.
    func postpone(_ task: @escaping () -> Void) -> Bool
}

extension Nesting {
    /// The subscriber behind `subscriber`, which may be hidden, if it is one whose upstream can be replaced.
    @usableFromInline
    static func replaceable(_ subscriber: Any) -> (any ReplaceableSubscriber)? {
        let plain = (subscriber as? any TypeErasingSubscriber)?.underlyingSubscriber ?? subscriber
        return plain as? any ReplaceableSubscriber
    }
}

/// A subscriber that stands for another one.
@usableFromInline
protocol TypeErasingSubscriber {
    var underlyingSubscriber: Any { get }
}

extension AnySubscriber: TypeErasingSubscriber {
    @usableFromInline var underlyingSubscriber: Any { box.underlying }
}

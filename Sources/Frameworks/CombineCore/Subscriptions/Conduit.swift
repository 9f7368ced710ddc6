public import Locking

/// A command to a conduit, from the holder of its subscription or from the conduit itself.
@usableFromInline
enum Command {
    case request(Subscribers.Demand)
    case cancel
    /// Do the work that was deferred while a thread was inside the conduit. If the conduit has ended, release the
    /// references to its upstream and downstream.
    case drainPending
}

/// One stage of a running stream, as its downstream sees it: the subscription that a publisher or an operator sends
/// downstream.
///
/// A chain of operators becomes a chain of conduits when it is subscribed to. Most conduits are also the subscriber of
/// their upstream. (Comments say *link* for short.)
@usableFromInline
class Conduit: Subscription, CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
    // Conduits are instances of generic classes. When a method is called through a protocol or a method table, the
    // compiler does not specialize it, and the unspecialized code looks up types for each value. So each conduit stores
    // a function that was created in the initializer, where all types are known and `unsafeDowncast` to the exact class
    // is sound. The function captures nothing, because a context would be one more allocation for each conduit: it
    // receives the conduit as a parameter.
    @usableFromInline final let respond: (Conduit, Command) -> Void

    @inlinable
    init(_ respond: @escaping (Conduit, Command) -> Void) {
        self.respond = respond
    }

    @inlinable
    final func request(_ demand: Subscribers.Demand) {
        respond(self, .request(demand))
    }

    @inlinable
    final func cancel() {
        respond(self, .cancel)
    }

    /// The name of the operator or source.
    @usableFromInline var description: String {
        LinkName.of(type(of: self))
    }

    /// A mirror without children; conduits with state to show override it.
    @usableFromInline var customMirror: Mirror { mirror([]) }

    // Without the superclasses: Combine's conduits have none, and a dump would show them as `super`.
    final func mirror(_ children: [Mirror.Child]) -> Mirror {
        Mirror(self, children: children, ancestorRepresentation: .suppressed)
    }

    @usableFromInline final var playgroundDescription: Any { description }
}

/// A conduit that serializes its deliveries, counts demand, and ends exactly once.
///
/// Values and completions travel down through the gate and wait for each other there. Requests and cancellations travel
/// up and never wait for the gate: a request made during a delivery in one conduit can meet a delivery in another, so
/// two threads that each waited for the other's gate would deadlock.
///
/// The gate also protects the references to upstream and downstream, which must not be released while a delivery uses
/// them. They are released inside the gate: by the thread that ends the conduit if no other thread is inside, and
/// otherwise by the thread that is inside. ``Command/drainPending`` therefore always runs inside the gate.
@usableFromInline
class GatedConduit: Conduit {
    @usableFromInline final let gate = Gate()
    @usableFromInline final let demand = DemandWord()

    @inlinable
    override init(_ respond: @escaping (Conduit, Command) -> Void) {
        super.init(respond)
    }

    @inlinable
    final func enter() -> Bool {
        gate.enter()
    }

    /// Leaves the gate if `outermost` is true, that is, if this entry was the outermost one.
    @inlinable
    final func exit(_ outermost: Bool) {
        if outermost, gate.leave() {
            drainAfterLeaving()
        }
    }

    /// Leaves the gate, and ends the conduit with `last` unless it has ended: a cancellation may wait for a lock whose owner sends a
    /// value to this conduit.
    // Nothing is delivered any more after the end, so `last` needs no gate.
    @usableFromInline
    final func leave(_ outermost: Bool, endingWith last: () -> Void) {
        let isEnding = demand.end()
        exit(outermost)
        if isEnding { last() }
    }

    /// Does the work that a mark requested from the thread that has just left the gate.
    @usableFromInline
    final func drainAfterLeaving() {
        repeat {
            // The work is done inside the gate, never after leaving it: two threads could otherwise release the same
            // references at the same time. If another thread has entered meanwhile, the mark passes to it.
            guard gate.enterOrMark() == .outermost else { return }
            respond(self, .drainPending)
        } while gate.leave()
    }

    /// Drains pending work now if no other thread is inside; otherwise leaves a mark for the thread inside.
    @inlinable
    final func drainOrMark() {
        switch gate.enterOrMark() {
        case .outermost:
            respond(self, .drainPending)
            exit(true)
        case .nested:
            // A caller further up this thread's stack is in the middle of a delivery and may still use the references
            // that an ended conduit releases. Leave the mark for the outermost exit.
            if demand.isEnded {
                _ = gate.leaveMark()
            } else {
                respond(self, .drainPending)
            }
        case .refused: return
        }
    }

    /// Releases the references upstream and downstream as soon as no thread is inside. The conduit must have ended.
    @inlinable
    final func releaseReferences() {
        drainOrMark()
    }
}

/// A conduit that holds the subscription to one upstream.
@usableFromInline
class UpstreamConduit: GatedConduit {
    @usableFromInline final let lock = WordLock()
    // Guarded by `lock`, so the dynamic exclusivity check adds no safety. A conduit in one word instead of `any
    // Subscription` in five: copying and destroying the existential goes through value witnesses.
    @exclusivity(unchecked) @usableFromInline final var upstream: Conduit?

    @inlinable
    override init(_ respond: @escaping (Conduit, Command) -> Void) {
        super.init(respond)
    }

    /// Keeps the first subscription. Cancels any other subscription, and one that arrives after the end.
    ///
    /// - Returns: Whether `subscription` was kept.
    @usableFromInline
    final func accept(_ subscription: any Subscription) -> Bool {
        let link = Conduit.wrapping(subscription)
        let kept = lock.withLock {
            if upstream != nil || demand.isEnded { return false }
            upstream = link
            return true
        }
        // Outside the lock, since `cancel()` is foreign code that may call back into this conduit.
        if !kept { subscription.cancel() }
        return kept
    }

    /// Whether the conduit holds a subscription to an upstream that has not completed.
    @usableFromInline final var hasUpstream: Bool {
        lock.withLock { upstream != nil }
    }

    /// Forwards a request to upstream, with no lock held.
    @usableFromInline
    final func requestUpstream(_ demand: Subscribers.Demand) {
        lock.withLock { upstream }?.request(demand)
    }

    /// Removes the subscription to upstream and returns it.
    @usableFromInline
    @discardableResult
    final func takeUpstream() -> Conduit? {
        lock.withLock {
            let taken = upstream
            upstream = nil
            return taken
        }
    }

    /// Ends the conduit, at the request of downstream or by its own decision: cancels upstream and releases the
    /// references.
    @usableFromInline
    final func endAndCancel() {
        guard demand.end() else { return }
        takeUpstream()?.cancel()
        releaseReferences()
    }
}

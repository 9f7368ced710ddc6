public import Locking

/// A link that holds the subscriptions to a fixed number of upstreams.
@usableFromInline
class UpstreamsConduit: GatedConduit {
    @usableFromInline final let lock = WordLock()
    /// Guarded by `lock`, as are changes of the demand while requests are passed on.
    @exclusivity(unchecked) @usableFromInline final var upstreams: ContiguousArray<Conduit?>
    /// How many upstreams have not completed; used inside the gate.
    @exclusivity(unchecked) @usableFromInline final var running: Int

    @inlinable
    init(count: Int, _ respond: @escaping (Conduit, Command) -> Void) {
        upstreams = ContiguousArray(repeating: nil, count: count)
        running = count
        super.init(respond)
    }

    @usableFromInline deinit {
        stayOutOfClients()
    }

    /// Keeps the first subscription from an upstream and cancels any other, and one that comes after the end.
    ///
    /// - Returns: The demand that had been requested before, or nil if the subscription was not kept.
    @usableFromInline
    final func accept(_ subscription: any Subscription, from index: Int) -> Subscribers.Demand? {
        let link = Conduit.wrapping(subscription)
        lock.lock()
        let current = demand.current
        if current < 0 || upstreams[index] != nil {
            lock.unlock()
            subscription.cancel()
            return nil
        }
        upstreams[index] = link
        lock.unlock()
        return Subscribers.Demand(outstanding: current)
    }

    /// Adds to the demand and passes the request on to all upstreams but one.
    @usableFromInline
    final func requestEach(_ more: Subscribers.Demand, except index: Int = -1) {
        lock.lock()
        demand.add(more)
        let asked = upstreams
        lock.unlock()
        for (other, upstream) in asked.enumerated() where other != index {
            upstream?.request(more)
        }
    }

    /// Forgets an upstream that has completed.
    @usableFromInline
    final func dropUpstream(_ index: Int) {
        let former = lock.withLock {
            guard index < upstreams.count else { return nil as Conduit? }
            let taken = upstreams[index]
            upstreams[index] = nil
            return taken
        }
        withExtendedLifetime(former) {}
    }

    /// Ends the link and cancels all upstreams.
    ///
    /// - Returns: Whether it was this call that ended it.
    @usableFromInline
    @discardableResult
    final func endAndCancelAll() -> Bool {
        guard demand.end() else { return false }
        let former = lock.withLock {
            let taken = upstreams
            upstreams = []
            return taken
        }
        for upstream in former { upstream?.cancel() }
        releaseReferences()
        return true
    }
}

public import Locking

/// A conduit that holds the subscriptions to a fixed number of upstreams.
@usableFromInline
class UpstreamsConduit: GatedConduit {
    @usableFromInline final let lock = WordLock()
    // Guarded by `lock`, as are changes of the demand that are forwarded: a new upstream must receive exactly the
    // demand that `requestEach` has not forwarded to it.
    @exclusivity(unchecked) @usableFromInline final var upstreams: ContiguousArray<Conduit?>
    /// The number of upstreams that have not completed. Used only inside the gate.
    @exclusivity(unchecked) @usableFromInline final var running: Int

    @inlinable
    init(count: Int, _ respond: @escaping (Conduit, Command) -> Void) {
        upstreams = ContiguousArray(repeating: nil, count: count)
        running = count
        super.init(respond)
    }

    /// Keeps the first subscription of an upstream. Cancels any other subscription, and one that arrives after the end.
    ///
    /// - Returns: The demand requested so far, or nil if the subscription was not kept.
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

    /// Adds to the demand and forwards the request to all upstreams but one.
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

    /// Releases an upstream that has completed.
    @usableFromInline
    final func dropUpstream(_ index: Int) {
        let former = lock.withLock {
            guard index < upstreams.count else { return nil as Conduit? }
            let taken = upstreams[index]
            // Not nil: an upstream that has completed cannot subscribe again, and a capture must find it.
            upstreams[index] = FinishedUpstream.shared
            return taken
        }
        // Released outside the lock, since its `deinit` may run foreign code.
        withExtendedLifetime(former) {}
    }

    /// Ends the conduit and cancels all upstreams.
    ///
    /// - Returns: Whether this call ended it.
    @usableFromInline
    @discardableResult
    final func endAndCancelAll() -> Bool {
        guard demand.end() else { return false }
        cancelAll()
        return true
    }

    /// Cancels all upstreams of a conduit that has ended.
    final func cancelAll() {
        let former = lock.withLock {
            let taken = upstreams
            upstreams = []
            return taken
        }
        for upstream in former { upstream?.cancel() }
        releaseReferences()
    }
}

/// The place holder of an upstream that has completed.
final class FinishedUpstream: Conduit {
    // Unchecked: it has no state, and its closure captures nothing.
    nonisolated(unsafe) static let shared: Conduit = FinishedUpstream()

    private init() {
        super.init { _, _ in }
    }
}

extension UpstreamsConduit {
    @usableFromInline
    final func isFinished(_ index: Int) -> Bool {
        lock.withLock { index < upstreams.count && upstreams[index] === FinishedUpstream.shared }
    }

    /// Marks the upstreams as completed that were when the machine was captured.
    final func finish(_ indices: [Int]) {
        lock.withLock {
            for index in indices where upstreams.indices.contains(index) { upstreams[index] = FinishedUpstream.shared }
        }
    }
}

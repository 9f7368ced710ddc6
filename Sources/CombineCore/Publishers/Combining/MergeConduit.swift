import Locking
public import StateCapture

/// The conduit behind `merge`: all upstreams share one demand.
///
/// Unlimited demand is forwarded. Under bounded demand, the conduit requests one value at a time from each upstream
/// while there is demand. A value that another upstream has overtaken is buffered until there is demand again.
@usableFromInline
final class MergeConduit<Downstream: Subscriber>: UpstreamsConduit {
    @usableFromInline typealias Value = Downstream.Input

    /// These are accessed inside the gate, and released after the end.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    /// The values that arrived without demand, oldest first, each with the index of its upstream.
    @exclusivity(unchecked) @usableFromInline var kept: ContiguousArray<(value: Value, index: Int)> = []
    /// Whether each upstream owes a value or has one buffered. Empty before the first bounded demand. Guarded by
    /// `lock`.
    @exclusivity(unchecked) @usableFromInline var busy: ContiguousArray<Bool> = []

    @inlinable
    init(_ downstream: Downstream, count: Int) {
        self.downstream = downstream
        super.init(count: count) { unsafeDowncast($0, to: MergeConduit<Downstream>.self).handle($1) }
    }

    @usableFromInline override var description: String { "Merge" }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            // Combine's merge ignores a request for no values, unlike `zip` and `combineLatest`, which trap.
            guard more.rawValue > 0 else { return }
            if more == .unlimited {
                // Under unlimited demand, no upstream can deliver too much, so the accounting of single values ends
                // here.
                requestEach(.unlimited)
            } else {
                // Bounded demand is not forwarded: each upstream would deliver that many values, and downstream would
                // receive a multiple of its demand.
                demand.add(more)
            }
            // A request from another thread must not wait for the delivery in progress; it leaves a mark for the
            // delivering thread.
            drainOrMark()
        case .cancel: endAndCancelAll()
        case .drainPending: drainPending()
        }
    }

    /// Delivers buffered values and requests more; or, after the end, releases everything.
    @inlinable
    func drainPending() {
        if demand.isEnded {
            downstream = nil
            kept = []
            return
        }
        deliverKept()
    }

    @inlinable
    func open() {
        let outermost = enter()
        downstream?.receive(subscription: self)
        exit(outermost)
    }

    @inlinable
    func receive(_ subscription: any Subscription, from index: Int) {
        guard let wanted = accept(subscription, from: index) else { return }
        if StateRegistry.isRestoring { requestOwed(subscription, from: index) }
        // Only a demand that existed before this upstream subscribed is requested here; later demand reaches it with
        // the request.
        if wanted == .unlimited {
            subscription.request(.unlimited)
        } else if wanted.rawValue > 0 {
            askIdle()
        }
    }

    @inlinable
    func receive(_ value: Value, from index: Int) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        guard let downstream else { return .none }
        // Buffered values arrived earlier and are about to be delivered. Delivering this one now would reorder them. A
        // synchronous upstream can deliver while the loop in `deliverKept` runs further up this thread's stack.
        guard kept.isEmpty else {
            if !demand.isEnded { kept.append((value, index)) }
            return .none
        }
        if demand.current == DemandWord.unlimited {
            // Unlimited demand cannot grow, so the returned demand does not matter.
            _ = downstream.receive(value)
            return .none
        }
        guard demand.take() else {
            if !demand.isEnded { kept.append((value, index)) }
            return .none
        }
        // The upstream stays marked as busy during the call. A re-entrant request would otherwise request another value
        // from it before this one is accounted for.
        settle(downstream.receive(value), from: index)
        return .none
    }

    /// Accounts for a delivery under bounded demand: the upstream no longer owes a value.
    @usableFromInline
    func settle(_ more: Subscribers.Demand, from index: Int) {
        lock.withLock {
            // `busy` is empty before the first bounded demand.
            if index < busy.count { busy[index] = false }
        }
        if more == .unlimited {
            requestEach(.unlimited)
        } else {
            demand.add(more)
        }
        deliverKept()
    }

    @usableFromInline
    func deliverKept() {
        while !kept.isEmpty, let downstream, demand.take() {
            // At most one value per upstream is buffered under bounded demand, so shifting the array is cheap.
            let (value, index) = kept.removeFirst()
            let more = downstream.receive(value)
            lock.withLock {
                if index < busy.count { busy[index] = false }
            }
            if more == .unlimited {
                requestEach(.unlimited)
            } else {
                demand.add(more)
            }
        }
        // Upstreams may have finished while values waited; then this delivery was the last.
        if running == 0, kept.isEmpty {
            finish()
        } else {
            askIdle()
        }
    }

    /// Requests one value from each upstream that owes none, if there is demand and it is bounded.
    @usableFromInline
    func askIdle() {
        let current = demand.current
        guard current > 0, current != DemandWord.unlimited else { return }
        // Marked and collected under the lock, requested outside: an upstream may deliver synchronously from a request
        // and take the lock again.
        let asked = lock.withLock {
            if busy.isEmpty { busy = ContiguousArray(repeating: false, count: upstreams.count) }
            var asked: ContiguousArray<Conduit> = []
            for (index, upstream) in upstreams.enumerated() where !busy[index] {
                // Not subscribed yet, or finished. Marking it as busy would prevent later requests to it.
                guard let upstream else { continue }
                busy[index] = true
                asked.append(upstream)
            }
            return asked
        }
        for upstream in asked { upstream.request(.max(1)) }
    }

    @inlinable
    func finish() {
        // Ending releases `downstream`, so the reference for the completion is taken first.
        let former = downstream
        if endAndCancelAll() { former?.receive(completion: .finished) }
    }

    @usableFromInline
    func receive(_ completion: Subscribers.Completion<Downstream.Failure>, from index: Int) {
        let outermost = enter()
        defer { exit(outermost) }
        // The end of an upstream that had ended when the machine was captured has been counted.
        if isFinished(index) { return }
        dropUpstream(index)
        running -= 1
        switch completion {
        case .finished:
            // Buffered values precede the completion; `deliverKept` finishes after the last of them.
            if running == 0, kept.isEmpty { finish() }
        case .failure:
            let former = downstream
            // A failure does not wait for buffered values, as in Combine. All other upstreams are cancelled first, so
            // that none can deliver after the completion.
            if endAndCancelAll() { former?.receive(completion: completion) }
        }
    }
}

/// The subscriber of one merged publisher.
@usableFromInline
@frozen
struct MergeSide<Downstream: Subscriber>: Subscriber, DescribedSubscriber {
    @usableFromInline typealias Input = Downstream.Input
    @usableFromInline typealias Failure = Downstream.Failure

    @usableFromInline let conduit: MergeConduit<Downstream>
    @usableFromInline let index: Int

    @inlinable
    init(_ conduit: MergeConduit<Downstream>, _ index: Int) {
        self.conduit = conduit
        self.index = index
    }

    @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(conduit) }

    @usableFromInline var description: String { conduit.description }

    @usableFromInline var customMirror: Mirror {
        Mirror(self, children: ["parentSubscription": conduit.combineIdentifier])
    }

    @inlinable
    func receive(subscription: any Subscription) {
        conduit.receive(subscription, from: index)
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        conduit.receive(input, from: index)
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        conduit.receive(completion, from: index)
    }
}

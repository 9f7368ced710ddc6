import Locking
public import StateCapture

/// The conduit behind `merge`: all upstreams share one demand.
///
/// Unlimited demand is forwarded. Until then, each upstream owes one value, as in Combine: it is requested when the upstream
/// subscribes, with or without demand, and the next one when a value is delivered. A value without demand is buffered.
@usableFromInline
final class MergeConduit<Downstream: Subscriber>: UpstreamsConduit {
    @usableFromInline typealias Value = Downstream.Input

    /// These are accessed inside the gate, and released after the end.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    /// The values that arrived without demand, oldest first, each with the index of its upstream.
    @exclusivity(unchecked) @usableFromInline var kept: ContiguousArray<(value: Value, index: Int)> = []

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
            let isUnlimited = grant(more)
            // A request from another thread must not wait for the delivery in progress; it leaves a mark for the
            // delivering thread.
            drainOrMark()
            // Afterwards, so that a synchronous upstream does not add all its values to the buffered ones.
            if isUnlimited { requestEach(.unlimited) }
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
        if wanted == .unlimited {
            subscription.request(.unlimited)
        } else if StateRegistry.isRestoring {
            requestOwed(from: index)
        } else {
            subscription.request(.max(1))
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
        let isUnlimited = grant(downstream.receive(value))
        // The returned demand may cover values that arrived during the delivery.
        if !kept.isEmpty { deliverKept() }
        if isUnlimited { requestEach(.unlimited) }
        return owedDemand
    }

    /// Adds to the demand.
    ///
    /// - Returns: Whether the demand has become unlimited, so that the caller must request everything from each upstream.
    // Bounded demand is not forwarded: each upstream would deliver that many values, and downstream would receive a
    // multiple of its demand. The sum of bounded demands can be unlimited. An upstream that subscribes meanwhile may receive
    // the unlimited request twice, which has no effect.
    @usableFromInline
    func grant(_ more: Subscribers.Demand) -> Bool {
        let former = demand.add(more)
        return former >= 0 && former != DemandWord.unlimited && demand.current == DemandWord.unlimited
    }

    /// The demand for an upstream whose value has been delivered: the next value, unless all have been requested.
    @usableFromInline var owedDemand: Subscribers.Demand {
        let current = demand.current
        return current < 0 || current == DemandWord.unlimited ? .none : .max(1)
    }

    @usableFromInline
    func deliverKept() {
        var isUnlimited = false
        while !kept.isEmpty, let downstream, demand.take() {
            // At most one value per upstream is buffered under bounded demand, so shifting the array is cheap.
            let (value, index) = kept.removeFirst()
            if grant(downstream.receive(value)) { isUnlimited = true }
            requestNext(from: index)
        }
        // Upstreams may have finished while values waited; then this delivery was the last.
        if running == 0, kept.isEmpty { finish() }
        if isUnlimited { requestEach(.unlimited) }
    }

    /// Requests the next value from an upstream, unless all have been requested.
    @usableFromInline
    func requestNext(from index: Int) {
        guard owedDemand.rawValue > 0 else { return }
        // A stored index may be any number.
        lock.withLock { upstreams.indices.contains(index) ? upstreams[index] : nil }?.request(.max(1))
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
        // The end of an upstream that had ended when the machine was captured has been counted.
        if isFinished(index) { return exit(outermost) }
        switch completion {
        case .finished:
            dropUpstream(index)
            running -= 1
            // Buffered values precede the completion; `deliverKept` finishes after the last of them.
            if running == 0, kept.isEmpty { finish() }
            exit(outermost)
        case .failure:
            // A failure does not wait for buffered values.
            leave(outermost) { [former = downstream] in
                // All upstreams first; the one that has failed, too, as in Combine.
                cancelAll()
                former?.receive(completion: completion)
            }
        }
    }
}

@usableFromInline
struct MergeSide<Downstream: Subscriber>: Subscriber, DescribedSubscriber {
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

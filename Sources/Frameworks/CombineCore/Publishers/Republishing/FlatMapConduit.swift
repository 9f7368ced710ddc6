public import Locking
import StateCapture

/// The conduit behind `flatMap`: one upstream and any number of children.
///
/// Under unlimited downstream demand, all values are requested from a child. Otherwise one value is requested at a
/// time, and buffered until downstream requests it.
@usableFromInline
final class FlatMapConduit<Source, Made: Publisher, Downstream: Subscriber>: RepublishingConduit<Downstream>,
    Subscriber
where Downstream.Input == Made.Output, Downstream.Failure == Made.Failure {
    @usableFromInline typealias Child = FlatMapChild<Source, Made, Downstream>

    @usableFromInline let maxPublishers: Subscribers.Demand
    /// These are accessed inside the gate, and released after the end.
    @exclusivity(unchecked) @usableFromInline var transform: ((Source) -> Made)?
    /// The values that arrived without demand, each with its child.
    @exclusivity(unchecked) @usableFromInline var kept: ContiguousArray<(child: Child, value: Made.Output)> = []
    /// Whether a child is being asked for its next value while earlier ones wait. Accessed inside the gate.
    @exclusivity(unchecked) @usableFromInline var isRequestingNext = false
    /// Guarded by `lock`, as are the subscriptions of the children.
    @exclusivity(unchecked) @usableFromInline var children = SlotList<Child>()

    @inlinable
    init(_ downstream: Downstream, _ maxPublishers: Subscribers.Demand, _ transform: @escaping (Source) -> Made) {
        self.maxPublishers = maxPublishers
        self.transform = transform
        super.init(downstream) { unsafeDowncast($0, to: FlatMapConduit<Source, Made, Downstream>.self).handle($1) }
    }

    @usableFromInline override var description: String { "FlatMap" }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            more.requirePositive()
            demand.add(more)
            // A request must not wait for a delivery on another thread: the two may wait for each other across two
            // streams.
            drainOrMark()
        case .cancel: endAll()
        case .drainPending: drainPending()
        }
    }

    /// Delivers buffered values that downstream has requested; or, after the end, releases everything.
    @inlinable
    func drainPending() {
        if demand.isEnded {
            downstream = nil
            transform = nil
            kept = []
            postponed = []
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
    func receive(subscription: any Subscription) {
        let outermost = enter()
        if accept(subscription) { requestUpstream(maxPublishers) }
        exit(outermost)
    }

    @inlinable
    func receive(_ input: Source) -> Subscribers.Demand {
        let outermost = enter()
        if isStarting {
            if !demand.isEnded { receiveWhileStarting(input) }
            exit(outermost)
            return .none
        }
        let made = demand.isEnded ? nil : transform?(input)
        // The child is created after the closure, which may cancel; `makeChild` checks the end again under the lock.
        let child = made == nil ? nil : makeChild()
        // Before the subscription: the publisher may wait for a lock whose owner sends a value to another child.
        exit(outermost)
        if let made, let child { made.receive(subscriber: child) }
        // Nothing is requested for a new child: upstream owes `maxPublishers` from the start, and one more per finished
        // child.
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Made.Failure>) {
        let outermost = enter()
        // Upstream has completed: a child that finishes later must not request from it.
        takeUpstream()
        switch completion {
        case .finished:
            isUpstreamFinished = true
            finishIfDone()
            exit(outermost)
        case .failure:
            leave(outermost, endingWith: completion)
        }
    }

    @usableFromInline
    override func cancelAll() {
        // The children before upstream, as in Combine. From here on, `makeChild` adds no others.
        let former = lock.withLock { children.takeAll() }
        former.forEach { child in
            // The lock is released before the cancellation, which runs foreign code that may call back into this
            // conduit.
            let subscription = lock.withLock {
                let taken = child.subscription
                child.subscription = nil
                // `isOver` stays: a delivery on another thread may read it at this moment, and the end of the conduit ends all children.
                return taken
            }
            subscription?.cancel()
        }
        takeUpstream()?.cancel()
        releaseReferences()
    }
}

extension FlatMapConduit {
    @inlinable
    func makeChild() -> Child? {
        let child = Child(self)
        lock.lock()
        defer { lock.unlock() }
        // Under the lock: after the end, nothing would ever remove this child from the list and cancel it.
        if demand.isEnded { return nil }
        children.append(child)
        return child
    }

    // Not inlinable: it is off the hot path, and its code would be copied into every client.
    @usableFromInline
    func receiveWhileStarting(_ input: Source) {
        if StateRegistry.current != nil { return StateRegistry.withoutRegistry { receiveWhileStarting(input) } }
        if let made = transform?(input), let child = makeChild() { subscribeWhileStarting(child, to: made) }
    }

    /// Subscribes now, or, where the stack is deep, after a conduit further downstream has finished subscribing on this
    /// thread.
    private func subscribeWhileStarting(_ child: Child, to made: Made) {
        let counters = Nesting.counters
        if counters.pointee.subscriptions < Nesting.limit { return subscribe(child, to: made, counters) }
        let start = { self.start(child, with: made) }
        if !postponeDownstream(start) { subscribe(child, to: made) }
    }

    /// Runs a deferred subscription. If this publisher is the only one left, downstream subscribes to it directly and
    /// this conduit ends.
    private func start(_ child: Child, with made: Made) {
        let outermost = enter()
        defer { exit(outermost) }
        // The stream may have ended between the deferral and now.
        if demand.isEnded || child.isOver { return }
        if isUpstreamFinished, kept.isEmpty, lock.withLock({ children.count == 1 }), replaceSelf(with: made) {
            endAll()
        } else {
            subscribe(child, to: made)
        }
    }

    @inlinable
    func accept(_ subscription: any Subscription, from child: Child) {
        let link = Conduit.wrapping(subscription)
        // End, child and subscription are checked together: a cancellation either finds this subscription or causes it
        // to be cancelled here.
        lock.lock()
        guard !demand.isEnded, !child.isOver, child.subscription == nil else {
            lock.unlock()
            return subscription.cancel()
        }
        child.subscription = link
        let isUnlimited = demand.current == DemandWord.unlimited
        // Decided under the lock, so that a concurrent unlimited request either is seen here or finds the subscription
        // in its list.
        child.isUnlimited = isUnlimited
        lock.unlock()
        // A child whose publisher was replaced may still have a value buffered. Requesting another one would exceed the
        // one value per child that bounded demand allows.
        if isUnlimited || child.keptCount == 0 { subscription.request(isUnlimited ? .unlimited : .max(1)) }
    }

    @inlinable
    func receive(_ value: Made.Output, from child: Child) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        // A child may deliver after its completion or its cancellation; its publisher may be one from outside this
        // library.
        guard !demand.isEnded, !child.isOver, let downstream else { return .none }
        guard !isRequestingNext, demand.take() else {
            child.keptCount += 1
            kept.append((child, value))
            return .none
        }
        let more = downstream.receive(value)
        // Unlimited demand cannot grow, and this is the hot path.
        if child.isUnlimited { return .none }
        demand.add(more)
        // The returned demand may cover values that other children have waiting, and they arrived earlier.
        if demand.current == DemandWord.unlimited || !kept.isEmpty { deliverKept() }
        // `deliverKept` may have turned the child's demand into an unlimited one; then one more would be one too many.
        return child.isUnlimited ? .none : .max(1)
    }

    @inlinable
    func receive(_ completion: Subscribers.Completion<Made.Failure>, from child: Child) {
        let outermost = enter()
        lock.lock()
        let former = child.subscription
        child.subscription = nil
        lock.unlock()
        withExtendedLifetime(former) {}
        if case .failure = completion { return leave(outermost, endingWith: completion) }
        if child.keptCount > 0 {
            // The child still has a value waiting. It counts against `maxPublishers` until that is delivered.
            child.isFinished = true
        } else {
            remove(child)
        }
        exit(outermost)
    }

    /// Removes a finished child, and requests another value to create the next one from.
    @inlinable
    func remove(_ child: Child) {
        lock.lock()
        child.isOver = true
        // Only the caller that removes the child requests a replacement, so exactly one more value is requested.
        let removed = children.remove(child)
        lock.unlock()
        guard removed != nil, !demand.isEnded else { return }
        if isUpstreamFinished {
            finishIfDone()
        } else if maxPublishers != .unlimited {
            requestUpstream(.max(1))
        }
    }

    /// Delivers buffered values in the order of their arrival, and forwards unlimited demand. Runs inside the gate.
    @usableFromInline
    func deliverKept() {
        while !kept.isEmpty, let downstream, demand.take() {
            // Removed before downstream runs: a re-entrant request delivers the next value and not this one again.
            let (child, value) = kept.removeFirst()
            child.keptCount -= 1
            demand.add(downstream.receive(value))
            if child.isFinished {
                if child.keptCount == 0 { remove(child) }
            } else if demand.current != DemandWord.unlimited {
                // A value that the child sends during the request waits behind those that arrived earlier.
                let wasRequesting = isRequestingNext
                isRequestingNext = true
                lock.withLock { child.subscription }?.request(.max(1))
                isRequestingNext = wasRequesting
            }
        }
        if demand.current == DemandWord.unlimited {
            let waiting = lock.withLock { takeBounded() }
            // Collected under the lock, requested outside: a child may deliver synchronously from the request.
            for subscription in waiting { subscription.request(.unlimited) }
        }
    }

    private func takeBounded() -> ContiguousArray<Conduit> {
        var taken: ContiguousArray<Conduit> = []
        children.forEach { child in
            if !child.isUnlimited, let subscription = child.subscription {
                child.isUnlimited = true
                taken.append(subscription)
            }
        }
        return taken
    }

    @inlinable
    func finishIfDone() {
        if lock.withLock({ children.count == 0 }) {
            end(with: .finished)
        }
    }
}

/// The subscriber of one publisher that `flatMap` created.
@usableFromInline
final class FlatMapChild<Source, Made: Publisher, Downstream: Subscriber>: Subscriber, DescribedSubscriber, SlotElement,
    ReplaceableSubscriber, RepublishedChild
where Downstream.Input == Made.Output, Downstream.Failure == Made.Failure {
    @usableFromInline let parent: FlatMapConduit<Source, Made, Downstream>
    /// These are guarded by the parent's lock.
    @exclusivity(unchecked) @usableFromInline var slot = 0
    @exclusivity(unchecked) @usableFromInline var subscription: Conduit?
    @exclusivity(unchecked) @usableFromInline var isUnlimited = false
    /// Whether the child was removed. Written inside the gate and under the lock, read inside either.
    @exclusivity(unchecked) @usableFromInline var isOver = false
    /// These are accessed inside the parent's gate.
    @exclusivity(unchecked) @usableFromInline var isFinished = false
    /// The number of its values that wait. More than one if it sends without being asked, as `replaceEmpty` does.
    @exclusivity(unchecked) @usableFromInline var keptCount = 0

    @usableFromInline var description: String { parent.description }

    @usableFromInline var customMirror: Mirror {
        Mirror(self, children: ["parentSubscription": parent.combineIdentifier])
    }

    @inlinable
    init(_ parent: FlatMapConduit<Source, Made, Downstream>) {
        self.parent = parent
    }

    @inlinable
    func receive(subscription: any Subscription) {
        parent.accept(subscription, from: self)
    }

    @inlinable
    func receive(_ input: Made.Output) -> Subscribers.Demand {
        parent.receive(input, from: self)
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Made.Failure>) {
        parent.receive(completion, from: self)
    }

    @usableFromInline
    func replaceUpstream(with next: Any) -> Bool {
        parent.replaceUpstream(of: self, with: next)
    }

    @usableFromInline
    func postpone(_ task: @escaping () -> Void) -> Bool {
        parent.postpone(task)
    }
}

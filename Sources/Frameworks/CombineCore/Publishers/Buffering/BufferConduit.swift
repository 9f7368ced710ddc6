import Locking
public import StateCapture

@usableFromInline
final class BufferConduit<Downstream: Subscriber>: StageConduit<Downstream>, Subscriber {
    @usableFromInline let size: Int
    @usableFromInline let prefetch: Publishers.PrefetchStrategy
    /// These are accessed inside the gate. The values and the strategy are released after the end.
    @exclusivity(unchecked) @usableFromInline var whenFull: Publishers.BufferingStrategy<Downstream.Failure>?
    @exclusivity(unchecked) @usableFromInline var values = Queue<Downstream.Input>()
    @exclusivity(unchecked) @usableFromInline var ending: Subscribers.Completion<Downstream.Failure>?
    /// Whether downstream has received the subscription.
    @exclusivity(unchecked) @usableFromInline var isOpen = false
    @exclusivity(unchecked) @usableFromInline var isDraining = false

    @inlinable
    init(
        _ downstream: Downstream, _ size: Int, _ prefetch: Publishers.PrefetchStrategy,
        _ whenFull: Publishers.BufferingStrategy<Downstream.Failure>
    ) {
        self.size = size
        self.prefetch = prefetch
        self.whenFull = whenFull
        // The closure is only ever called with this object, so the unchecked cast cannot fail. It captures nothing, and
        // so costs no allocation; the same holds for every conduit below.
        super.init(downstream) { unsafeDowncast($0, to: BufferConduit<Downstream>.self).handle($1) }
    }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            // Count first: the thread inside the gate, if there is one, sees the demand when it finds the mark.
            demand.add(more)
            drainOrMark()
        case .cancel: endAndCancel()
        case .drainPending: drainPending()
        }
    }

    @inlinable
    func drainPending() {
        if demand.isEnded {
            downstream = nil
            whenFull = nil
            values = Queue()
            return
        }
        drainAndRefill()
    }

    @inlinable
    func drainAndRefill() {
        let count = drain()
        // Upstream may deliver synchronously from this request, so it follows the drain instead of running within it.
        if count > 0, prefetch == .keepFull { requestUpstream(.max(count)) }
    }

    @inlinable
    func receive(subscription: any Subscription) {
        let outermost = enter()
        defer { exit(outermost) }
        guard accept(subscription) else { return }
        hasBegun = true
        // Upstream receives the request before downstream receives the subscription, as in Combine. A synchronous
        // source fills the buffer here; nothing is delivered because `isOpen` is false.
        subscription.request(prefetch == .keepFull ? .max(size) : .unlimited)
        // A synchronous upstream can have failed and ended the stream from inside the request.
        guard !demand.isEnded else { return }
        // Set before the call: downstream may request from inside `receive(subscription:)`, and those values must flow.
        // A restored machine delivers nothing while it is wired.
        isOpen = !StateRegistry.isRestoring
        downstream?.receive(subscription: self)
        // Covers a completion that arrived while the buffer was closed and that no request follows.
        drainAndRefill()
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        guard hasBegun, !demand.isEnded, ending == nil else { return .none }
        keep(input)
        // A failure that this value caused waits for the next request, as Apple's does. Draining here would deliver it
        // immediately.
        if ending != nil { return .none }
        let count = drain()
        // Returning the refill saves a call up the chain; upstream adds it to its demand by itself.
        return prefetch == .keepFull ? .max(count) : .none
    }

    @inlinable
    func keep(_ input: Downstream.Input) {
        if values.count < size { return values.append(input) }
        switch whenFull {
        case .dropOldest?:
            // With a size of 0 there is nothing to replace, and appending would grow the buffer past its capacity.
            if values.removeFirst() != nil { values.append(input) }
        case .customError(let makeError)?:
            // User code may cancel or complete the stream from inside, so both are checked again after the call.
            let error = makeError()
            if ending == nil, !demand.isEnded {
                ending = .failure(error)
                // Taken out before the call, so that a re-entrant cancellation finds no upstream to cancel again.
                takeUpstream()?.cancel()
            }
        case .dropNewest?, nil: return
        }
    }

    /// Delivers the requested values, then the completion: `.finished` once the buffer is empty and there is demand, a
    /// failure as soon as the demand or the buffer is exhausted. Runs inside the gate.
    ///
    /// - Returns: The number of delivered values; 0 if a delivery in progress will deliver them.
    @inlinable
    func drain() -> Int {
        // Downstream may request from inside a delivery. The outer loop picks up that demand, so values keep their
        // order and the stack does not grow.
        if isDraining || !isOpen { return 0 }
        isDraining = true
        defer { isDraining = false }
        var count = 0
        while !values.isEmpty, demand.take(), let downstream, let value = values.removeFirst() {
            count += 1
            // `take()` precedes the call: a re-entrant request must not see the demand for this value again.
            demand.add(downstream.receive(value))
        }
        switch ending {
        // A failure overtakes values that nobody has requested, as in Combine; they are dropped.
        case .failure(let error): complete(.failure(error))
        case .finished:
            if values.isEmpty, demand.current > 0 { complete(.finished) }
        case nil: break
        }
        return count
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        let outermost = enter()
        defer { exit(outermost) }
        guard hasBegun, !demand.isEnded, ending == nil else { return }
        ending = completion
        // Upstream has completed: dropping the reference here prevents a later cancellation from reaching it.
        takeUpstream()
        _ = drain()
    }

    @usableFromInline override var description: String { "Buffer" }

    @usableFromInline override var customMirror: Mirror {
        // Reading a queue consumes it, so the mirror reads a copy.
        var copy = values
        var kept: [Downstream.Input] = []
        while let value = copy.removeFirst() { kept.append(value) }
        return mirror([
            ("values", kept), ("state", lock.withLock { upstream } as Any),
            ("downstreamDemand", Subscribers.Demand(outstanding: demand.current)), ("terminal", ending as Any),
        ])
    }
}

import Locking

/// The conduit behind `buffer`.
@usableFromInline
final class BufferConduit<Downstream: Subscriber>: StageConduit<Downstream>, Subscriber {
    @usableFromInline typealias Input = Downstream.Input
    @usableFromInline typealias Failure = Downstream.Failure

    @usableFromInline let size: Int
    @usableFromInline let prefetch: Publishers.PrefetchStrategy
    /// These are accessed inside the gate. The values and the strategy are released after the end.
    @exclusivity(unchecked) @usableFromInline var whenFull: Publishers.BufferingStrategy<Downstream.Failure>?
    @exclusivity(unchecked) @usableFromInline var values = FirstInFirstOut<Downstream.Input>()
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
        super.init(downstream) { unsafeDowncast($0, to: BufferConduit<Downstream>.self).handle($1) }
    }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            demand.add(more)
            attendInside()
        case .cancel: endAndCancel()
        case .attend: attend()
        }
    }

    @inlinable
    func attend() {
        if demand.isEnded {
            downstream = nil
            whenFull = nil
            values = FirstInFirstOut()
            return
        }
        drainAndRefill()
    }

    @inlinable
    func drainAndRefill() {
        let count = drain()
        if count > 0, prefetch == .keepFull { requestUpstream(.max(count)) }
    }

    @inlinable
    func receive(subscription: any Subscription) {
        let outermost = enter()
        defer { exit(outermost) }
        guard accept(subscription) else { return }
        hasBegun = true
        subscription.request(prefetch == .keepFull ? .max(size) : .unlimited)
        guard !demand.isEnded else { return }
        isOpen = true
        downstream?.receive(subscription: self)
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
        return prefetch == .keepFull ? .max(count) : .none
    }

    @inlinable
    func keep(_ input: Downstream.Input) {
        if values.count < size { return values.append(input) }
        switch whenFull {
        case .dropOldest?:
            if values.removeFirst() != nil { values.append(input) }
        case .customError(let makeError)?:
            let error = makeError()
            if ending == nil, !demand.isEnded {
                ending = .failure(error)
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
        if isDraining || !isOpen { return 0 }
        isDraining = true
        defer { isDraining = false }
        var count = 0
        while !values.isEmpty, demand.take(), let downstream, let value = values.removeFirst() {
            count += 1
            demand.add(downstream.receive(value))
        }
        switch ending {
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
        takeUpstream()
        _ = drain()
    }

    @usableFromInline override var description: String { "Buffer" }

    @usableFromInline override var customMirror: Mirror {
        var copy = values
        var kept: [Downstream.Input] = []
        while let value = copy.removeFirst() { kept.append(value) }
        return Mirror(
            self,
            children: [
                "values": kept, "state": lock.withLock { upstream } as Any,
                "downstreamDemand": Subscribers.Demand(outstanding: demand.current), "terminal": ending as Any,
            ] as KeyValuePairs<String, Any>)
    }
}

import Locking
public import StateCapture

@usableFromInline
struct DebounceState<Value, Failure: Error>: Codable {
    var waiting: StoredOptional<Value>
    /// The time at which the value is due; nil if none exists.
    var due: StoredTime?
    var ending: StoredCompletion<Failure>?
}

extension DebounceConduit: StatefulPart {
    @usableFromInline static var partName: StaticString { "debounce" }

    @usableFromInline static var valueTypes: [any Any.Type] { [Downstream.Input.self] }

    @usableFromInline var partState: DebounceState<Downstream.Input, Downstream.Failure>? {
        if demand.isEnded { return nil }
        let (value, ending) = lock.withLock { (self.waiting, self.ending) }
        return DebounceState(
            waiting: StoredOptional(value), due: value == nil ? nil : scheduler.lastDue,
            ending: StoredCompletion(ending))
    }

    @usableFromInline
    func restore(_ state: DebounceState<Downstream.Input, Downstream.Failure>?) {
        guard let state else { return endRestored(downstream) }
        lock.withLock {
            waiting = state.waiting.value
            ending = state.ending?.completion
        }
        scheduler.restore(lastDue: state.due)
    }

    @usableFromInline
    func resume() {
        if let ending {
            takeUpstream()?.cancel()
            scheduler.schedule { self.complete(ending) }
        }
        guard waiting != nil else { return }
        let number = number
        if let token = scheduler.schedule(
            at: scheduler.lastDue, orAfter: dueTime, { [weak self] in self?.fire(number) })
        {
            keep(token, for: number)
        }
    }
}

@usableFromInline
struct ThrottleState<Value, Failure: Error>: Codable {
    var waiting: StoredOptional<Value>
    var completion: StoredCompletion<Failure>?
    var isScheduled: Bool
    var last: StoredTime?
    var hasDelivered: Bool
}

extension ThrottleConduit: StatefulPart {
    @usableFromInline static var partName: StaticString { "throttle" }

    @usableFromInline static var valueTypes: [any Any.Type] { [Downstream.Input.self] }

    @usableFromInline var partState: ThrottleState<Downstream.Input, Downstream.Failure>? {
        if demand.isEnded { return nil }
        lock.lock()
        let last = last
        var state = ThrottleState<Downstream.Input, Downstream.Failure>(
            waiting: StoredOptional(waiting), completion: StoredCompletion(completion), isScheduled: isScheduled,
            last: nil, hasDelivered: hasDelivered)
        lock.unlock()
        state.last = scheduler.stored(last)
        return state
    }

    @usableFromInline
    func restore(_ state: ThrottleState<Downstream.Input, Downstream.Failure>?) {
        guard let state else { return endRestored(downstream) }
        let date = scheduler.date(state.last)
        lock.withLock {
            waiting = state.waiting.value
            completion = state.completion?.completion
            isScheduled = state.isScheduled
            hasDelivered = state.hasDelivered
            if let date { last = date }
        }
    }

    @usableFromInline
    func resume() {
        if completion != nil { takeUpstream()?.cancel() }
        guard isScheduled else { return }
        let now = scheduler.now
        schedule(hasDelivered ? last.advanced(by: interval) : now, now)
    }
}

/// The state of `delay` and `receive(on:)`.
@usableFromInline
struct RelayState<Value, Failure: Error>: Codable {
    var events: Queue<StoredEvent<Value, Failure>>
    /// The times at which the events are due, for `delay`.
    var dues: Queue<StoredTime>
}

extension RelayConduit: StatefulPart {
    @usableFromInline static var partName: StaticString { "receiveOn" }

    @usableFromInline static var valueTypes: [any Any.Type] { [Downstream.Input.self] }

    @usableFromInline var partState: RelayState<Downstream.Input, Downstream.Failure>? {
        if demand.isEnded { return nil }
        return RelayState(events: lock.withLock { events }, dues: scheduler.adapter?.recordedDues ?? Queue())
    }

    @usableFromInline
    func restore(_ state: RelayState<Downstream.Input, Downstream.Failure>?) {
        guard let state else { return endRestored(downstream) }
        lock.withLock { events = state.events }
        if delay != nil { scheduler.adapter?.recordedDues = state.dues }
    }

    @usableFromInline
    func resume() {
        var rest = lock.withLock { events }
        if rest.endsWithCompletion() { takeUpstream()?.cancel() }
        guard let delay else {
            while rest.removeFirst() != nil { scheduler.schedule { self.deliverOldest() } }
            return
        }
        var dues = scheduler.adapter?.recordedDues ?? Queue()
        // They are recorded again as the events are scheduled.
        scheduler.adapter?.recordDues()
        while rest.removeFirst() != nil {
            scheduler.schedule(at: dues.removeFirst(), orAfter: delay.interval) { self.deliverOldest() }
        }
    }
}

extension Queue {
    /// Whether the last event is a completion.
    func endsWithCompletion<Value, Failure: Error>() -> Bool where Element == StoredEvent<Value, Failure> {
        if case .completion?? = elements.last { true } else { false }
    }
}

@usableFromInline
struct TimeoutState<Value, Failure: Error>: Codable {
    var events: Queue<StoredEvent<Value, Failure>>
    /// The time at which the stream ends without a value.
    var due: StoredTime?
    var isWanted: Bool
}

extension TimeoutConduit: StatefulPart {
    @usableFromInline static var partName: StaticString { "timeout" }

    @usableFromInline static var valueTypes: [any Any.Type] { [Downstream.Input.self] }

    @usableFromInline var partState: TimeoutState<Downstream.Input, Downstream.Failure>? {
        if demand.isEnded { return nil }
        let (events, isWanted) = lock.withLock { (self.events, self.isWanted) }
        return TimeoutState(events: events, due: scheduler.lastDue, isWanted: isWanted)
    }

    @usableFromInline
    func restore(_ state: TimeoutState<Downstream.Input, Downstream.Failure>?) {
        guard let state else { return endRestored(downstream) }
        lock.withLock {
            events = state.events
            isWanted = state.isWanted
        }
        scheduler.restore(lastDue: state.due)
    }

    @usableFromInline
    func resume() {
        // The timer that the wiring has started measures from the wrong time.
        let number = stopTimer()
        var rest = lock.withLock { events }
        let isComplete = rest.endsWithCompletion()
        while rest.removeFirst() != nil { scheduler.schedule { self.deliverOldest() } }
        if isComplete {
            takeUpstream()?.cancel()
            return
        }
        let next = scheduler.schedule(every: interval, from: scheduler.lastDue) { [weak self] in self?.fire(number) }
        lock.withLock { timer = next }
    }
}

/// The state of `collect` by time.
@usableFromInline
struct CollectByTimeState<Value>: Codable {
    var values: ListState<Value>
    /// The end of the interval.
    var due: StoredTime?
    var isUpstreamFinished: Bool
    /// The JSON of the completion of upstream, until it has arrived on the scheduler.
    // Not the completion: with another type of the state, stored sessions of older builds would not find theirs.
    var ending: String?
}

extension CollectByTimeConduit: StatefulPart {
    @usableFromInline static var partName: StaticString { "collectByTime" }

    @usableFromInline static var valueTypes: [any Any.Type] { [Input.self] }

    @usableFromInline var partState: CollectByTimeState<Input>? {
        state {
            let (timer, ending) = lock.withLock { (self.timer, self.ending) }
            return CollectByTimeState(
                values: ListState(values), due: (timer as? MainTimer)?.partState,
                isUpstreamFinished: isUpstreamFinished,
                ending: isUpstreamFinished ? nil : StoredCompletion(ending)?.json)
        }
    }

    @usableFromInline
    func restore(_ state: CollectByTimeState<Input>?) {
        guard let state else { return endRestored(downstream) }
        values = state.values.values
        isUpstreamFinished = state.isUpstreamFinished
        let ending = state.ending.flatMap { StoredCompletion<Failure>(json: $0) }?.completion
        lock.withLock { self.ending = isUpstreamFinished ? .finished : ending }
        scheduler.restore(lastDue: state.due)
    }

    @usableFromInline
    func resume() {
        // The timer that the wiring has started is not on the grid.
        let former = lock.withLock {
            let taken = timer
            timer = nil
            return taken
        }
        former?.cancel()
        if let ending {
            takeUpstream()?.cancel()
            if isUpstreamFinished { drainOrMark() } else { scheduleEnd(with: ending) }
        } else {
            let made = scheduler.schedule(every: interval, from: scheduler.lastDue) { [weak self] in self?.tick() }
            lock.withLock { timer = made }
        }
    }
}

extension MeasureConduit: StatefulPart {
    @usableFromInline static var partName: StaticString { "measureInterval" }

    /// The time of the last value.
    @usableFromInline var partState: OptionalState<StoredTime>? {
        state { OptionalState(last.flatMap { scheduler.stored($0) }) }
    }

    @usableFromInline
    func restore(_ state: OptionalState<StoredTime>?) {
        guard let state else { return endRestored(downstream) }
        if let date = scheduler.date(state.value.value) { last = date }
    }
}

extension SubscribeOnConduit: StatefulPart {
    @usableFromInline static var partName: StaticString { "subscribeOn" }

    /// Whether upstream has been subscribed to.
    @usableFromInline var partState: ValueState<Bool>? { state { ValueState(hasBegun) } }

    @usableFromInline
    func restore(_ state: ValueState<Bool>?) {
        guard let state else { return endRestored(downstream) }
        hasBegun = state.value.value
    }

    /// Subscribes for a machine that is being wired.
    @usableFromInline
    func start<Upstream: Publisher>(with upstream: Upstream, whileWiring registry: StateRegistry)
    where Upstream.Output == Downstream.Input, Upstream.Failure == Downstream.Failure {
        let scope = registry.makeScope(named: "subscribed")
        registry.register(self)
        if demand.isEnded {
            // The cancellation may have been waiting for the scheduler, so the parts of upstream may be alive.
            return scope.wire {
                upstream.receive(subscriber: CancellingSubscriber<Downstream.Input, Downstream.Failure>())
            }
        }
        // The subscription was made in the first life, so its parts are restored with the others.
        if hasBegun { return scope.wire { upstream.receive(subscriber: self) } }
        scheduler.schedule { scope.wire { upstream.receive(subscriber: self) } }
    }
}

public import StateCapture

extension GatedConduit {
    /// Returns the result of a closure that reads the state inside the gate; nil if the conduit has ended.
    // On the loop of the session. A thread inside the gate is delivering, and leaves it soon.
    final func state<State>(_ read: () -> State) -> State? {
        let outermost = enter()
        defer { exit(outermost) }
        return demand.isEnded ? nil : read()
    }
}

extension TransformationConduit: StatefulPart {
    @usableFromInline static var partName: StaticString { "transformation" }

    @usableFromInline static var keyName: String { LinkName.of(T.self) }

    @usableFromInline static var valueTypes: [any Any.Type] { [T.Memory.self] }

    @usableFromInline var partState: OptionalState<T.Memory>? { state { OptionalState(memory) } }

    @usableFromInline
    func restore(_ state: OptionalState<T.Memory>?) {
        guard let state else { return endRestored(downstream) }
        if let memory = state.value.value { self.memory = memory }
    }
}

@usableFromInline
struct ReductionState<Partial, Result>: Codable {
    var partial: StoredOptional<Partial>
    var result: StoredOptional<Result>
    var isDecided: Bool
}

extension ReductionConduit: StatefulPart {
    @usableFromInline static var partName: StaticString { "reduction" }

    @usableFromInline static var keyName: String { LinkName.of(R.self) }

    @usableFromInline static var valueTypes: [any Any.Type] { R.valueTypes }

    @usableFromInline var partState: ReductionState<R.Partial, R.Output>? {
        state {
            ReductionState(partial: StoredOptional(partial), result: StoredOptional(result), isDecided: isDecided)
        }
    }

    @usableFromInline
    func restore(_ state: ReductionState<R.Partial, R.Output>?) {
        guard let state else { return endRestored(downstream) }
        partial = state.partial.value
        result = state.result.value
        isDecided = state.isDecided
    }

    @usableFromInline
    func resume() {
        // Upstream has completed or was cancelled before the machine was captured.
        if isDecided { takeUpstream()?.cancel() }
    }
}

extension Pile: Codable {
    @usableFromInline
    convenience init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { values.append(try container.decode(StoredValue<Element>.self).value) }
    }

    @usableFromInline
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for value in values { try container.encode(StoredValue(value)) }
    }
}

extension Publishers.Scan.Inner: StatefulPart {
    @usableFromInline static var partName: StaticString { "scan" }

    @usableFromInline static var valueTypes: [any Any.Type] { [Output.self] }

    // The end needs no state: nothing arrives after the end of the upstream, which is captured.
    @usableFromInline var partState: ValueState<Output>? { ValueState(result) }

    @usableFromInline
    func restore(_ state: ValueState<Output>?) {
        if let state { result = state.value.value }
    }
}

extension Publishers.RemoveDuplicates.Inner: StatefulPart {
    @usableFromInline static var partName: StaticString { "removeDuplicates" }

    @usableFromInline static var valueTypes: [any Any.Type] { [Upstream.Output.self] }

    @usableFromInline var partState: OptionalState<Upstream.Output>? { state { OptionalState(previous) } }

    @usableFromInline
    func restore(_ state: OptionalState<Upstream.Output>?) {
        guard let state else { return endRestored(downstream) }
        previous = state.value.value
    }
}

/// The state of an operator with a replacement for missing values.
@usableFromInline
struct ReplacementState: Codable {
    var isNeeded: Bool
    /// Whether upstream has ended, and the replacement waits for demand.
    var isDue: Bool
}

extension Publishers.ReplaceEmpty.Inner: StatefulPart {
    @usableFromInline static var partName: StaticString { "replaceEmpty" }

    @usableFromInline var partState: ReplacementState? {
        state { ReplacementState(isNeeded: output != nil, isDue: isUpstreamFinished) }
    }

    @usableFromInline
    func restore(_ state: ReplacementState?) {
        guard let state else { return endRestored(downstream) }
        if !state.isNeeded { output = nil }
        isUpstreamFinished = state.isDue
    }

    @usableFromInline
    func resume() {
        guard isUpstreamFinished else { return }
        takeUpstream()?.cancel()
        drainOrMark()
    }
}

extension Publishers.ReplaceError.Inner: StatefulPart {
    @usableFromInline static var partName: StaticString { "replaceError" }

    @usableFromInline var partState: ReplacementState? {
        state { ReplacementState(isNeeded: output != nil, isDue: hasFailed) }
    }

    @usableFromInline
    func restore(_ state: ReplacementState?) {
        guard let state else { return endRestored(downstream) }
        if !state.isNeeded { output = nil }
        hasFailed = state.isDue
    }

    @usableFromInline
    func resume() {
        guard hasFailed else { return }
        takeUpstream()?.cancel()
        drainOrMark()
    }
}

extension Publishers.CollectByCount.Inner: StatefulPart {
    @usableFromInline static var partName: StaticString { "collect" }

    @usableFromInline static var valueTypes: [any Any.Type] { [Upstream.Output.self] }

    @usableFromInline var partState: ListState<Upstream.Output>? { state { ListState(values) } }

    @usableFromInline
    func restore(_ state: ListState<Upstream.Output>?) {
        guard let state else { return endRestored(downstream) }
        values = state.values
    }
}

@usableFromInline
struct BufferState<Value, Failure: Error>: Codable {
    var values: Queue<Value>
    var ending: StoredCompletion<Failure>?
}

extension BufferConduit: StatefulPart {
    @usableFromInline static var partName: StaticString { "buffer" }

    @usableFromInline static var valueTypes: [any Any.Type] { [Downstream.Input.self] }

    @usableFromInline var partState: BufferState<Downstream.Input, Downstream.Failure>? {
        state { BufferState(values: values, ending: StoredCompletion(ending)) }
    }

    @usableFromInline
    func restore(_ state: BufferState<Downstream.Input, Downstream.Failure>?) {
        guard let state else { return endRestored(downstream) }
        values = state.values
        ending = state.ending?.completion
    }

    @usableFromInline
    func resume() {
        if ending != nil { takeUpstream()?.cancel() }
        isOpen = true
        drainOrMark()
    }
}

import Locking
public import StateCapture

/// The state of an operator that looks for one value.
@usableFromInline
struct SearchState<Value>: Codable {
    var result: StoredOptional<Value>
    var isDecided: Bool
}

extension Publishers.First.Inner: StatefulPart {
    @usableFromInline static var partName: StaticString { "first" }

    @usableFromInline static var valueTypes: [any Any.Type] { [Upstream.Output.self] }

    @usableFromInline var partState: SearchState<Upstream.Output>? {
        state { SearchState(result: StoredOptional(result), isDecided: isDecided) }
    }

    @usableFromInline
    func restore(_ state: SearchState<Upstream.Output>?) {
        guard let state else { return endRestored(downstream) }
        result = state.result.value
        isDecided = state.isDecided
    }

    @usableFromInline
    func resume() {
        guard isDecided else { return }
        takeUpstream()?.cancel()
        drainOrMark()
    }
}

/// The state of an operator that counts values.
@usableFromInline
struct PositionState: Codable {
    var skipped: Int
    var remaining: Int
}

extension Publishers.Output.Inner: StatefulPart {
    @usableFromInline static var partName: StaticString { "output" }

    @usableFromInline var partState: PositionState? {
        state { PositionState(skipped: skipped, remaining: remaining) }
    }

    @usableFromInline
    func restore(_ state: PositionState?) {
        guard let state else { return endRestored(downstream) }
        skipped = state.skipped
        remaining = state.remaining
    }
}

extension Publishers.Drop.Inner: StatefulPart {
    @usableFromInline static var partName: StaticString { "drop" }

    /// The number of values to omit.
    // The end needs no state: nothing arrives after the end of the upstream, which is captured.
    @usableFromInline var partState: ValueState<Int>? { ValueState(lock.withLock { remaining }) }

    @usableFromInline
    func restore(_ state: ValueState<Int>?) {
        guard let state else { return }
        lock.withLock {
            // The values to omit are requested in addition, when upstream subscribes.
            if wanted == .max(remaining) { wanted = .max(max(0, state.value.value)) }
            remaining = max(0, state.value.value)
        }
    }
}

extension Publishers.DropUntilOutput.Inner: StatefulPart {
    @usableFromInline static var partName: StaticString { "dropUntilOutput" }

    /// Whether the other publisher has delivered a value.
    @usableFromInline var partState: ValueState<Bool>? { state { ValueState(isTriggered) } }

    @usableFromInline
    func restore(_ state: ValueState<Bool>?) {
        guard let state else { return endRestored(downstream) }
        isTriggered = state.value.value
    }
}

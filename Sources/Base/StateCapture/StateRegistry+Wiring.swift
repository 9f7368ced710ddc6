import CRuntime

extension StateRegistry {
    /// Returns the result of a closure that wires the machine. The registry is current meanwhile.
    public func wire<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        defer {
            if !isRestoring {
                runPostponed()
                finishWiring()
            }
        }
        return try asCurrent(body)
    }

    /// Returns the result of a closure during which the registry is current.
    private func asCurrent<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let outer = granary_state_registry()
        granary_set_state_registry(Unmanaged.passUnretained(self).toOpaque())
        wiringDepth += 1
        defer {
            wiringDepth -= 1
            granary_set_state_registry(outer)
            if wiringDepth == 0 { settleParts() }
            withExtendedLifetime(self) {}
        }
        return try withClock(body)
    }

    /// Returns the result of a closure whose subscriptions belong to no machine: those that follow from a value. How many
    /// there are depends on the values, so they have no lasting keys, except in ``LiveSources``.
    public static func withoutRegistry<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = granary_state_registry()
        granary_set_state_registry(nil)
        defer { granary_set_state_registry(outer) }
        return try body()
    }

    /// Returns the result of a closure that converts between times on the session's clock and stored times.
    func withClock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let outer = granary_clock_offset()
        granary_set_clock_offset(clockOffset)
        defer { granary_set_clock_offset(outer) }
        return try body()
    }

    /// Runs an action when the machine is wired; if it is restored, at the beginning of ``resume()``.
    ///
    /// - Parameters:
    ///   - order: The place of the action: it runs after those with a lower number.
    ///   - action: The action.
    public func afterWiring(order: Int = .max, _ action: @escaping () -> Void) {
        postponed.append((order, action))
    }

    /// Runs the actions that wait for the end of the wiring.
    func runPostponed() {
        let actions = postponed
        postponed = []
        // The sort of the standard library is stable.
        for (_, action) in actions.sorted(by: { $0.order < $1.order }) { action() }
    }

    /// Returns a scope for the parts that an operator adds when it subscribes to another publisher later.
    public func makeScope(named name: String) -> StateScope {
        StateScope(self, prefix: keys.next(name) + "/")
    }

    /// Returns the sources that an operator makes from the values that it receives. Returns nil if the operator is not
    /// captured: ``transient`` contains its name, or its source is inside of too many others.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - result: The type of the values of the sources.
    ///   - name: The name of the operator.
    public func makeSources<Element, Result>(
        of type: Element.Type, emitting result: Result.Type, named name: String
    ) -> LiveSources<Element>? {
        guard !keys.isTooDeep, !isTransient(name) else { return nil }
        let mark = TypeMark.of(LiveSource<(Element, Result)>.self, [Element.self, Result.self])
        return LiveSources(self, prefix: keys.next("\(name)Sources" + mark) + "/")
    }

    /// Removes the parts of a scope, whose keys are about to be used again.
    func beginScope(_ scope: String) {
        guard acceptsParts, keys.restart(scope) else { return }
        replacedKeys.formUnion(parts.lazy.map(\.key.text).filter { $0.hasPrefix(scope) })
        parts.removeAll { $0.key.text.hasPrefix(scope) }
    }

    /// Returns the result of a closure whose parts belong to a scope.
    func wire<Result, Failure: Error>(
        inScope scope: String, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = keys.enter(scope)
        defer {
            keys.leave(to: outer)
            // After the wiring, nothing else runs what the subscriptions of the scope have postponed.
            if wiringDepth == 0, !isRestoring { runPostponed() }
        }
        return try asCurrent(body)
    }
}

public import Observation

extension Store: Observable {}

extension Store where State: ObservableState {
    /// The state. Code that `observe` or `withObservationTracking` runs observes the members that it reads.
    @_disfavoredOverload
    public var state: State { observedState }

    /// A member of the state. Code that `observe` or `withObservationTracking` runs observes the members that it reads.
    public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
        observedState[keyPath: keyPath]
    }
}

extension Store {
    /// The state, as code reads it that observes it.
    var observedState: State {
        // The members of the state have observers of their own. Those of the store learn that another state replaces this one.
        observation?.registrar.access(self, keyPath: \.observedState)
        return state
    }

    /// The members that have changed since the host last took them; all if the state does not report its changes.
    package var pendingChanges: ObservableStateChanges { isRoot ? observation?.changes ?? .all : .all }

    /// Returns the members that have changed since the last call; all if the state does not report its changes.
    package func takePendingChanges() -> ObservableStateChanges {
        isRoot ? observation?.takeRecorded() ?? .all : .all
    }
}

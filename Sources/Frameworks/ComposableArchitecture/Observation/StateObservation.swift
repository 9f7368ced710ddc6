import Observation

/// The observers and the recorded changes of a store's observable state. Confined like the store.
final class StateObservation<State> {
    let registrar = ObservationRegistrar()
    private let takeChanges: (inout State, inout ObservableStateID?) -> ObservableStateChanges
    private let identity: (State) -> ObservableStateID
    /// The content relative to which the state records its changes.
    private var baseline: ObservableStateID?
    /// The members that have changed since they were last taken.
    private(set) var changes = ObservableStateChanges.none

    fileprivate init(
        takeChanges: @escaping (inout State, inout ObservableStateID?) -> ObservableStateChanges,
        identity: @escaping (State) -> ObservableStateID
    ) {
        self.takeChanges = takeChanges
        self.identity = identity
    }

    /// Creates the observation of a type of state. Returns nil if the type is neither observable nor a presented state that is.
    static func make() -> StateObservation? {
        if let type = State.self as? any ObservableState.Type { return type.observation() as? StateObservation }
        guard State.self is any _PresentationState.Type, let type = State.self as? any ObservableIdentity.Type else {
            return nil
        }
        return type.observationOfIdentity() as? StateObservation
    }

    /// Records what has changed in a state that a reducer has processed.
    func record(_ state: inout State) {
        changes.formUnion(takeChanges(&state, &baseline))
    }

    /// Records that any member may have changed, because a value that members share has.
    func recordSharedChange() {
        changes = .all
    }

    /// Returns whether a state replaces another one as a whole.
    func isReplaced(_ state: State, by newState: State) -> Bool {
        identity(state) != identity(newState)
    }

    /// Returns the members that have changed since the last call.
    func takeRecorded() -> ObservableStateChanges {
        defer { changes = .none }
        return changes
    }
}

extension ObservableState {
    fileprivate static func observation() -> Any {
        StateObservation<Self> {
            $0._$takeChanges(since: &$1)
        } identity: {
            $0._$id
        }
    }
}

extension ObservableIdentity {
    fileprivate static func observationOfIdentity() -> Any {
        StateObservation<Self> { _, _ in
            .all
        } identity: {
            $0._$id
        }
    }
}

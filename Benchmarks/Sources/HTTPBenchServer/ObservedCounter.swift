import ComposableAdapter
import ComposableMacros
import MachineHost

/// The counter with the Composable Architecture, to compare its round trip with that of the other one.
@Reducer
struct ObservedCounter {
    @ObservableState
    struct State: Equatable, Encodable {
        var count = 0
    }

    enum Action {
        case increment
        case decrement
    }

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .increment: state.count += 1
            case .decrement: state.count -= 1
            }
            return .none
        }
    }
}

extension MachineDefinition {
    static func observedCounter() throws(MachineRegistrationError) -> MachineDefinition {
        try .composable("observed-counter", summary: "Counts up and down.") { _ in
            Store(initialState: ObservedCounter.State()) { ObservedCounter() }
        }
    }
}

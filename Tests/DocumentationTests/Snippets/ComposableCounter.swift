import ComposableArchitecture

struct ComposableCounter: ReducerProtocol {
    struct State: Equatable, Encodable {
        var count = 0
    }

    enum Action {
        case increment
        case decrement
    }

    func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        switch action {
        case .increment: state.count += 1
        case .decrement: state.count = max(state.count - 1, 0)
        }
        return .none
    }
}

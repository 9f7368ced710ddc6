import ComposableArchitecture

struct ComposableLedger: ReducerProtocol {
    struct State: Equatable, Codable {
        var marks: [String] = []
        var count = 0
    }

    enum Action: Equatable {
        case note(String)
    }

    func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        guard case .note(let mark) = action else { return .none }
        Trap.spring(by: mark)
        state.marks.append(mark)
        state.count += 1
        return .none
    }

    static func store() -> StoreOf<ComposableLedger> {
        Store(initialState: State(), reducer: ComposableLedger())
    }
}

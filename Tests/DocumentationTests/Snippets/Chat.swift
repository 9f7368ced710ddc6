import ComposableAdapter
import ComposableArchitecture
import Granary

struct Chat: ReducerProtocol {
    struct State: Codable, Equatable {
        var lines: [String] = []
    }

    enum Action {
        case say(String)
        case heard(String)
    }

    let post: (String) -> EffectTask<Action>

    func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        switch action {
        case .say(let text): return post(text)
        case .heard(let text): state.lines.append(text)
        }
        return .none
    }
}

func chat() throws -> MachineDefinition {
    try .composable("chat", summary: "A chat.", actions: ["say"]) { context in
        Store(initialState: Chat.State(), reducer: Chat(post: context.topic("chat") { Chat.Action.heard($0) }))
    }
}

import ComposableMacros

@DependencyClient
struct FactClient: Sendable {
    var fetch: @Sendable (_ about: Int) async throws -> String
}

extension FactClient: DependencyKey {
    static let liveValue = FactClient { "\($0) is a number." }
    static let testValue = FactClient()
}

@Reducer
struct FactCounter {
    @ObservableState
    struct State: Equatable, Encodable {
        var count = 0
        var fact: String?
    }

    enum Action: Equatable {
        case increment
        case ask
        case factResponse(String?)
    }

    @Dependency(FactClient.self) var facts

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .increment:
                state.count += 1
                return .none
            case .ask:
                return .run { [count = state.count] send in
                    await send(.factResponse(try? await facts.fetch(about: count)))
                }
            case .factResponse(let fact):
                state.fact = fact
                return .none
            }
        }
    }
}

import ComposableAdapter
import ComposableArchitecture
import Granary

struct Weather: ReducerProtocol {
    struct State: Equatable, Codable {
        var city = ""
        var degrees: Int?
        var isLoading = false
    }

    enum Action: Equatable {
        case show(String)
        case refresh
        case received(Int)
    }

    let degrees: @Sendable (String) async -> Int

    func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        switch action {
        case .show(let city):
            state = State(city: city)
            return reduce(into: &state, action: .refresh)
        case .refresh:
            state.isLoading = true
            return .task { [city = state.city] in .received(await degrees(city)) }
        case .received(let degrees):
            state.degrees = degrees
            state.isLoading = false
            return .none
        }
    }
}

func weather(degrees: @escaping @Sendable (String) async -> Int) throws -> MachineDefinition {
    try .composable(
        "weather", summary: "Shows the temperature of a city.", actions: ["show"],
        resumed: { interrupted in interrupted.isEmpty ? nil : .refresh }
    ) { _ in
        Store(initialState: Weather.State(), reducer: Weather(degrees: degrees))
    }
}

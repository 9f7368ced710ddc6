import ComposableArchitecture
import Dispatch

// The effects, in the spelling of the slides.

struct NumbersApiError: Error, Equatable {}

enum EffectsBasicsAction: Equatable {
    case decrementButtonTapped
    case incrementButtonTapped
    case numberFactButtonTapped
    case numberFactResponse(Result<String, NumbersApiError>)
}

struct EffectsBasicsState: Equatable {
    var count = 0
    var isNumberFactRequestInFlight = false
    var numberFact: String?
}

struct EffectsBasicsEnvironment {
    var mainQueue: AnySchedulerOf<DispatchQueue>
    var numberFact: (Int) -> Effect<String, NumbersApiError>
}

let effectsBasicsReducer = Reducer<
    EffectsBasicsState, EffectsBasicsAction, EffectsBasicsEnvironment
> { state, action, environment in
    switch action {
    case .decrementButtonTapped:
        state.count -= 1
        return Effect(value: EffectsBasicsAction.incrementButtonTapped)
            .delay(for: 1, scheduler: environment.mainQueue)
            .eraseToEffect()
    case .incrementButtonTapped:
        state.count += 1
        return .none
    case .numberFactButtonTapped:
        state.isNumberFactRequestInFlight = true
        state.numberFact = nil
        return environment.numberFact(state.count)
            .receive(on: environment.mainQueue)
            .catchToEffect()
            .map(EffectsBasicsAction.numberFactResponse)
    case let .numberFactResponse(.success(response)):
        state.isNumberFactRequestInFlight = false
        state.numberFact = response
        return .none
    case .numberFactResponse(.failure):
        state.isNumberFactRequestInFlight = false
        return .none
    }
}

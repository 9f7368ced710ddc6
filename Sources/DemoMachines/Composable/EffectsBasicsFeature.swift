public import ComposableArchitecture
public import Dispatch

/// A number, and what is known about it.
public struct EffectsBasicsState: Equatable, Encodable, Sendable {
    var count = 0
    var isNumberFactRequestInFlight = false
    var numberFact: String?

    /// Zero, and nothing known.
    public init() {}
}

/// What can happen, and what effects answer.
public enum EffectsBasicsAction: Equatable, Sendable {
    case decrementButtonTapped
    case incrementButtonTapped
    case numberFactButtonTapped
    case numberFactResponse(Result<String, NumberFactError>)
}

/// Nothing is known about the number.
public struct NumberFactError: Error, Equatable, Sendable {
    /// No reason is given.
    public init() {}
}

/// The scheduler, and who knows about numbers.
public struct EffectsBasicsEnvironment {
    var mainQueue: AnySchedulerOf<DispatchQueue>
    var numberFact: (Int) -> Effect<String, NumberFactError>

    /// What the feature depends on.
    public init(
        mainQueue: AnySchedulerOf<DispatchQueue>, numberFact: @escaping (Int) -> Effect<String, NumberFactError>
    ) {
        self.mainQueue = mainQueue
        self.numberFact = numberFact
    }
}

/// Effects that come back: one after a second, one from a service that is injected.
public let effectsBasicsReducer = Reducer<
    EffectsBasicsState, EffectsBasicsAction, EffectsBasicsEnvironment
> { state, action, environment in
    switch action {
    case .decrementButtonTapped:
        state.count -= 1
        state.numberFact = nil
        return Effect(value: EffectsBasicsAction.incrementButtonTapped)
            .delay(for: 1, scheduler: environment.mainQueue)
            .eraseToEffect()
    case .incrementButtonTapped:
        state.count += 1
        state.numberFact = nil
        return .none
    case .numberFactButtonTapped:
        state.isNumberFactRequestInFlight = true
        state.numberFact = nil
        return environment.numberFact(state.count)
            .receive(on: environment.mainQueue)
            .catchToEffect()
            .map(EffectsBasicsAction.numberFactResponse)
    case .numberFactResponse(.success(let response)):
        state.isNumberFactRequestInFlight = false
        state.numberFact = response
        return .none
    case .numberFactResponse(.failure):
        state.isNumberFactRequestInFlight = false
        return .none
    }
}

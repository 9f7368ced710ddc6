public import ComposableArchitecture
public import Dispatch

/// A number and a fact about it.
public struct EffectsBasicsState: Equatable, Encodable, Sendable {
    var count = 0
    var isNumberFactRequestInFlight = false
    var numberFact: String?

    /// Creates a state with the number zero and no fact.
    public init() {}
}

/// The actions of the user and the responses of effects.
public enum EffectsBasicsAction: Equatable, Sendable {
    case decrementButtonTapped
    case incrementButtonTapped
    case numberFactButtonTapped
    case numberFactResponse(Result<String, NumberFactError>)
    /// The server was restarted, and the effects are not running any more.
    case resumed
}

/// There is no fact about the number.
public struct NumberFactError: Error, Equatable, Sendable {
    /// Creates an error.
    public init() {}
}

/// The scheduler and the fact service.
public struct EffectsBasicsEnvironment {
    var mainQueue: AnySchedulerOf<DispatchQueue>
    var numberFact: (Int) -> Effect<String, NumberFactError>
    var incrementLater: (Int) -> EffectTask<EffectsBasicsAction>

    /// Creates an environment from its dependencies.
    ///
    /// - Parameters:
    ///   - mainQueue: The scheduler.
    ///   - numberFact: Returns a fact about a number.
    ///   - incrementLater: Increments the number after a second. A hosted machine declares it as an effect of the session, so that
    ///     a restart does not lose it; nil for one that ends with the process.
    public init(
        mainQueue: AnySchedulerOf<DispatchQueue>, numberFact: @escaping (Int) -> Effect<String, NumberFactError>,
        incrementLater: ((Int) -> EffectTask<EffectsBasicsAction>)? = nil
    ) {
        self.mainQueue = mainQueue
        self.numberFact = numberFact
        self.incrementLater =
            incrementLater ?? { _ in
                Effect(value: EffectsBasicsAction.incrementButtonTapped)
                    .delay(for: 1, scheduler: mainQueue)
                    .eraseToEffect()
            }
    }
}

/// Effects that send actions: one after a second, and one with the response of an injected service.
public let effectsBasicsReducer = Reducer<
    EffectsBasicsState, EffectsBasicsAction, EffectsBasicsEnvironment
> { state, action, environment in
    switch action {
    case .decrementButtonTapped:
        state.count -= 1
        state.numberFact = nil
        return environment.incrementLater(state.count)
    case .incrementButtonTapped:
        state.count += 1
        state.numberFact = nil
        return .none
    case .resumed where !state.isNumberFactRequestInFlight: return .none
    case .numberFactButtonTapped, .resumed:
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

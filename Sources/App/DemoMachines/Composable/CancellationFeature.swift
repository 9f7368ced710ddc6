public import ComposableArchitecture
public import Dispatch

/// A number and trivia about it. A request for trivia may be in flight.
public struct CancellationState: Equatable, Encodable, Sendable {
    var count = 0
    var currentTrivia: String?
    var isTriviaRequestInFlight = false

    /// Creates a state with the number zero and no trivia.
    public init() {}
}

/// The actions of the user and the response of the effect.
public enum CancellationAction: Equatable, Sendable {
    case cancelButtonTapped
    /// The server was restarted, and the request is not running any more.
    case resumed
    case stepperChanged(Int)
    case triviaButtonTapped
    case triviaResponse(Result<String, TriviaError>)
}

/// There is no trivia about the number.
public struct TriviaError: Error, Equatable, Sendable {
    /// Creates an error.
    public init() {}
}

/// The scheduler and the trivia service.
public struct CancellationEnvironment {
    var mainQueue: AnySchedulerOf<DispatchQueue>
    var trivia: (Int) -> Effect<String, TriviaError>

    /// Creates an environment from its dependencies.
    public init(mainQueue: AnySchedulerOf<DispatchQueue>, trivia: @escaping (Int) -> Effect<String, TriviaError>) {
        self.mainQueue = mainQueue
        self.trivia = trivia
    }
}

/// Cancellation by identifier: changing the number, or tapping the cancel button, cancels the request. All sessions use
/// the same identifier, but a session cannot cancel a request of another one.
public let cancellationReducer = Reducer<
    CancellationState, CancellationAction, CancellationEnvironment
> { state, action, environment in
    struct TriviaRequestID: Hashable {}

    switch action {
    case .cancelButtonTapped:
        state.isTriviaRequestInFlight = false
        return .cancel(id: TriviaRequestID())
    case .stepperChanged(let value):
        state.count = value
        state.currentTrivia = nil
        state.isTriviaRequestInFlight = false
        return .cancel(id: TriviaRequestID())
    case .resumed where !state.isTriviaRequestInFlight: return .none
    case .triviaButtonTapped, .resumed:
        state.currentTrivia = nil
        state.isTriviaRequestInFlight = true
        return environment.trivia(state.count)
            .receive(on: environment.mainQueue)
            .catchToEffect()
            .map(CancellationAction.triviaResponse)
            .cancellable(id: TriviaRequestID())
    case .triviaResponse(.success(let trivia)):
        state.isTriviaRequestInFlight = false
        state.currentTrivia = trivia
        return .none
    case .triviaResponse(.failure):
        state.isTriviaRequestInFlight = false
        return .none
    }
}

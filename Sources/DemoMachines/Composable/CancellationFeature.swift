public import ComposableArchitecture
public import Dispatch

/// A number, and a story about it that may be on its way.
public struct CancellationState: Equatable, Encodable, Sendable {
    var count = 0
    var currentTrivia: String?
    var isTriviaRequestInFlight = false

    /// Zero, and no story.
    public init() {}
}

/// What can happen, and what the effect answers.
public enum CancellationAction: Equatable, Sendable {
    case cancelButtonTapped
    case stepperChanged(Int)
    case triviaButtonTapped
    case triviaResponse(Result<String, TriviaError>)
}

/// There is no story.
public struct TriviaError: Error, Equatable, Sendable {
    /// No reason is given.
    public init() {}
}

/// The scheduler, and who tells stories.
public struct CancellationEnvironment {
    var mainQueue: AnySchedulerOf<DispatchQueue>
    var trivia: (Int) -> Effect<String, TriviaError>

    /// What the feature depends on.
    public init(mainQueue: AnySchedulerOf<DispatchQueue>, trivia: @escaping (Int) -> Effect<String, TriviaError>) {
        self.mainQueue = mainQueue
        self.trivia = trivia
    }
}

/// Cancellation by an id: changing the number, or asking for it, ends the request. Every session has the same id, and
/// none reaches another's request.
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
    case .triviaButtonTapped:
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

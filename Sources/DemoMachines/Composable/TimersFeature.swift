public import ComposableArchitecture
public import Dispatch

/// A stop-watch.
public struct TimersState: Equatable, Encodable, Sendable {
    var isTimerActive = false
    var secondsElapsed = 0

    /// Stopped at zero.
    public init() {}
}

/// What can happen, and the ticks.
public enum TimersAction: Equatable, Sendable {
    case timerTicked
    case toggleTimerButtonTapped
}

/// The scheduler that the timer runs on.
public struct TimersEnvironment {
    var mainQueue: AnySchedulerOf<DispatchQueue>

    /// What the feature depends on.
    public init(mainQueue: AnySchedulerOf<DispatchQueue>) {
        self.mainQueue = mainQueue
    }
}

/// An effect that goes on: a timer that ticks until its id is cancelled, or its session ends.
public let timersReducer = Reducer<TimersState, TimersAction, TimersEnvironment> { state, action, environment in
    struct TimerID: Hashable {}

    switch action {
    case .timerTicked:
        state.secondsElapsed += 1
        return .none
    case .toggleTimerButtonTapped:
        state.isTimerActive.toggle()
        return state.isTimerActive
            ? Effect.timer(id: TimerID(), every: 1, tolerance: 0, on: environment.mainQueue)
                .map { _ in .timerTicked }
            : .cancel(id: TimerID())
    }
}

public import ComposableArchitecture
public import Dispatch

/// The state of a stopwatch.
public struct TimersState: Equatable, Encodable, Sendable {
    var isTimerActive = false
    var secondsElapsed = 0

    /// Creates a stopped stopwatch at zero.
    public init() {}
}

/// The action of the user and the ticks.
public enum TimersAction: Equatable, Sendable {
    /// The server was restarted, and the timer is not running any more.
    case resumed
    case timerTicked
    case toggleTimerButtonTapped
}

/// The scheduler of the timer.
public struct TimersEnvironment {
    var mainQueue: AnySchedulerOf<DispatchQueue>

    /// Creates an environment from its dependencies.
    public init(mainQueue: AnySchedulerOf<DispatchQueue>) {
        self.mainQueue = mainQueue
    }
}

/// A long-lived effect: a timer that ticks until its identifier is cancelled or its session ends.
public let timersReducer = Reducer<TimersState, TimersAction, TimersEnvironment> { state, action, environment in
    struct TimerID: Hashable {}

    switch action {
    case .timerTicked:
        state.secondsElapsed += 1
        return .none
    case .toggleTimerButtonTapped: state.isTimerActive.toggle()
    case .resumed: break
    }
    return state.isTimerActive
        ? Effect.timer(id: TimerID(), every: 1, tolerance: 0, on: environment.mainQueue)
            .map { _ in .timerTicked }
        : .cancel(id: TimerID())
}

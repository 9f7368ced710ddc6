import ComposableArchitecture

// The counters, in the spelling of the slides.

enum CounterAction: Equatable {
    case decrementButtonTapped
    case incrementButtonTapped
}

struct CounterState: Equatable {
    var count = 0
}

struct CounterEnvironment {}

let counterReducer = Reducer<CounterState, CounterAction, CounterEnvironment> { state, action, _ in
    switch action {
    case .decrementButtonTapped:
        state.count -= 1
        return .none
    case .incrementButtonTapped:
        state.count += 1
        return .none
    }
}

enum TwoCountersAction {
    case counter1(CounterAction)
    case counter2(CounterAction)
}

struct TwoCountersState: Equatable {
    var counter1 = CounterState()
    var counter2 = CounterState()
}

struct TwoCountersEnvironment {}

let twoCountersReducer = Reducer<TwoCountersState, TwoCountersAction, TwoCountersEnvironment>
    .combine(
        counterReducer.pullback(
            state: \TwoCountersState.counter1,
            action: /TwoCountersAction.counter1,
            environment: { _ in CounterEnvironment() }
        ),
        counterReducer.pullback(
            state: \TwoCountersState.counter2,
            action: /TwoCountersAction.counter2,
            environment: { _ in CounterEnvironment() }
        )
    )

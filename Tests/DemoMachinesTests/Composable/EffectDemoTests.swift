import CombineCore
import CombineSchedulers
import ComposableArchitecture
import Dispatch
import Testing

@testable import DemoMachines

/// Tests of the demos of counters, effects, cancellation and timers on virtual time.
@Suite struct EffectDemoTests {
    private let scheduler = DispatchQueue.test

    @Test func `a counter counts`() {
        TestStore(initialState: CounterState(), reducer: counterReducer, environment: CounterEnvironment()).assert(
            .send(.incrementButtonTapped) { $0.count = 1 },
            .send(.decrementButtonTapped) { $0.count = 0 },
            .send(.decrementButtonTapped) { $0.count = -1 })
    }

    @Test func `two counters count independently`() {
        TestStore(
            initialState: TwoCountersState(), reducer: twoCountersReducer, environment: TwoCountersEnvironment()
        )
        .assert(
            .send(.counter1(.incrementButtonTapped)) { $0.counter1.count = 1 },
            .send(.counter2(.decrementButtonTapped)) { $0.counter2.count = -1 })
    }

    @Test func `a negative count is incremented after a second`() {
        TestStore(
            initialState: EffectsBasicsState(), reducer: effectsBasicsReducer,
            environment: EffectsBasicsEnvironment(
                mainQueue: scheduler.eraseToAnyScheduler(), numberFact: { _ in unexpectedEffect() })
        )
        .assert(
            .send(.decrementButtonTapped) { $0.count = -1 },
            .do { scheduler.advance(by: 1) },
            .receive(.incrementButtonTapped) { $0.count = 0 })
    }

    @Test func `a fact is requested and shown`() {
        let store = TestStore(
            initialState: EffectsBasicsState(), reducer: effectsBasicsReducer,
            environment: EffectsBasicsEnvironment(
                mainQueue: scheduler.eraseToAnyScheduler(),
                numberFact: { number in
                    number > 1 ? Effect(error: NumberFactError()) : Effect(value: "\(number) is a good number")
                }))
        store.assert(
            .send(.incrementButtonTapped) { $0.count = 1 },
            .send(.numberFactButtonTapped) { $0.isNumberFactRequestInFlight = true },
            .do { scheduler.advance() },
            .receive(.numberFactResponse(.success("1 is a good number"))) {
                $0.isNumberFactRequestInFlight = false
                $0.numberFact = "1 is a good number"
            },
            .send(.incrementButtonTapped) {
                $0.count = 2
                $0.numberFact = nil
            },
            .send(.numberFactButtonTapped) { $0.isNumberFactRequestInFlight = true },
            .do { scheduler.advance() },
            .receive(.numberFactResponse(.failure(NumberFactError()))) { $0.isNumberFactRequestInFlight = false })
    }

    @Test func `changing the number or cancelling ends the request`() {
        TestStore(
            initialState: CancellationState(), reducer: cancellationReducer,
            environment: CancellationEnvironment(
                mainQueue: scheduler.eraseToAnyScheduler(), trivia: { Effect(value: "\($0) is a story") })
        )
        .assert(
            .send(.triviaButtonTapped) { $0.isTriviaRequestInFlight = true },
            .send(.cancelButtonTapped) { $0.isTriviaRequestInFlight = false },
            .do { scheduler.run() },
            .send(.triviaButtonTapped) { $0.isTriviaRequestInFlight = true },
            .send(.stepperChanged(5)) {
                $0.count = 5
                $0.isTriviaRequestInFlight = false
            },
            .do { scheduler.run() },
            .send(.triviaButtonTapped) { $0.isTriviaRequestInFlight = true },
            .do { scheduler.advance() },
            .receive(.triviaResponse(.success("5 is a story"))) {
                $0.isTriviaRequestInFlight = false
                $0.currentTrivia = "5 is a story"
            })
    }

    @Test func `a timer ticks each second until it is stopped`() {
        TestStore(
            initialState: TimersState(), reducer: timersReducer,
            environment: TimersEnvironment(mainQueue: scheduler.eraseToAnyScheduler())
        )
        .assert(
            .send(.toggleTimerButtonTapped) { $0.isTimerActive = true },
            .do { scheduler.advance(by: 2) },
            .receive(.timerTicked) { $0.secondsElapsed = 1 },
            .receive(.timerTicked) { $0.secondsElapsed = 2 },
            .send(.toggleTimerButtonTapped) { $0.isTimerActive = false },
            .do { scheduler.advance(by: 5) })
    }

    @Test func `an optional counter can be shown, changed and removed`() {
        TestStore(
            initialState: OptionalCounterState(), reducer: optionalCounterReducer,
            environment: OptionalCounterEnvironment()
        )
        .assert(
            .send(.toggleCounterButtonTapped) { $0.optionalCounter = CounterState() },
            .send(.optionalCounter(.incrementButtonTapped)) { $0.optionalCounter?.count = 1 },
            .send(.toggleCounterButtonTapped) { $0.optionalCounter = nil })
    }
}

/// Returns an effect that fails the test if it runs.
private func unexpectedEffect<Output, Failure: Error>() -> Effect<Output, Failure> {
    .fireAndForget { Issue.record("an unexpected effect ran") }
}

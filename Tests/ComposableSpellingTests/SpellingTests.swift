import ComposableArchitecture
import Dispatch
import Foundation
import Testing

/// Spellings of slides and documentation that must compile with only the public module imported.
@Suite struct SpellingTests {
    let scheduler = DispatchQueue.test

    @Test func `the test in the slides passes`() {
        let store = TestStore(
            initialState: EffectsBasicsState(),
            reducer: effectsBasicsReducer,
            environment: EffectsBasicsEnvironment(
                mainQueue: self.scheduler.eraseToAnyScheduler(),
                numberFact: { n in Effect(value: "\(n) is a good number") }
            )
        )

        store.assert(
            .send(.incrementButtonTapped) {
                $0.count = 1
            },
            .send(.numberFactButtonTapped) {
                $0.isNumberFactRequestInFlight = true
            },
            .do { self.scheduler.advance(by: 1) },
            .receive(.numberFactResponse(.success("1 is a good number"))) {
                $0.isNumberFactRequestInFlight = false
                $0.numberFact = "1 is a good number"
            }
        )
    }

    @Test func `a view sends to its scoped store`() {
        let store = Store(
            initialState: TwoCountersState(), reducer: twoCountersReducer, environment: TwoCountersEnvironment())
        let viewStore = ViewStore(store.scope(state: { $0.counter1 }, action: TwoCountersAction.counter1))
        viewStore.send(.incrementButtonTapped)
        #expect(viewStore.count == 1)
        #expect("\(viewStore.count)" == "1")
        let all = ViewStore(store, removeDuplicates: ==)
        all.send(.counter2(.decrementButtonTapped))
        #expect(all.state == TwoCountersState(counter1: CounterState(count: 1), counter2: CounterState(count: -1)))
        var counts: [Int] = []
        let cancellable = all.publisher.counter2.sink { counts.append($0.count) }
        all.send(.counter2(.decrementButtonTapped))
        #expect(counts == [-1, -2])
        withExtendedLifetime(cancellable) {}
    }

    @Test func `a future delivers from another queue`() async {
        let effect = Effect<Int, Never>.future { callback in
            DispatchQueue.global().asyncAfter(deadline: .now()) {
                callback(.success(42))
            }
        }
        let (answers, answer) = AsyncStream<Int>.makeStream()
        let cancellable = effect.sink { answer.yield($0) }
        for await value in answers {
            #expect(value == 42)
            break
        }
        withExtendedLifetime(cancellable) {}
    }

    @Test func `a result reads a file when it is subscribed to`() {
        struct User: Codable, Equatable { var name: String }
        let effect = Effect<User, any Error>.result {
            let fileUrl = URL(fileURLWithPath: NSTemporaryDirectory())
                .appendingPathComponent("there is no such user.json")

            let result = Result<User, any Error> {
                let data = try Data(contentsOf: fileUrl)
                return try JSONDecoder().decode(User.self, from: data)
            }

            return result
        }
        var hasFailed = false
        _ = effect.sink(
            receiveCompletion: { if case .failure = $0 { hasFailed = true } }, receiveValue: { _ in })
        #expect(hasFailed)
    }

    @Test func `any publisher can be an effect`() {
        let subject = PassthroughSubject<Int, Never>()
        var values: [Int] = []
        let cancellables = [
            Effect(subject).sink { values.append($0) },
            subject.eraseToEffect().sink { values.append($0 * 10) },
        ]
        subject.send(1)
        #expect(values == [1, 10])
        withExtendedLifetime(cancellables) {}
    }

    @Test func `effects compile in the spelling of their documentation`() {
        enum Action: Equatable { case tick, stop, value(Int) }
        struct TimerId: Hashable {}
        let scheduler = scheduler
        let reducer = Reducer<[Int], Action, Void> { state, action, _ in
            switch action {
            case .tick:
                return .concatenate(
                    .cancel(id: TimerId()),
                    Effect.timer(id: TimerId(), every: 1, on: scheduler).map { _ in .value(1) })
            case .stop:
                return .merge(.cancel(id: TimerId()), .fireAndForget {}, Effect(value: .value(2)))
            case .value(let value):
                state.append(value)
                return .none
            }
        }
        .debug("app", actionFormat: .labelsOnly, environment: { _ in DebugEnvironment(printer: { _ in }) })
        let store = TestStore(initialState: [], reducer: reducer, environment: ())
        store.send(.tick)
        scheduler.advance(by: 2)
        store.receive(.value(1)) { $0 = [1] }
        store.receive(.value(1)) { $0 = [1, 1] }
        store.send(.stop)
        store.receive(.value(2)) { $0 = [1, 1, 2] }
    }

    @Test func `case paths compile with a slash`() {
        enum AppAction { case login(LoginAction), logout }
        enum LoginAction { case emailChanged(String) }
        let path: CasePath<AppAction, String> = /AppAction.login .. /LoginAction.emailChanged
        #expect(path.extract(from: .login(.emailChanged("a@b"))) == "a@b")
        #expect(path.extract(from: .logout) == nil)
        #expect((/AppAction.logout).extract(from: .logout) != nil)
        let emails = [AppAction.logout, path.embed("c@d")].compactMap(path.extract(from:))
        #expect(emails == ["c@d"])
    }

    @Test func `a feature can be a type with a body`() async {
        struct Feature: ReducerProtocol {
            struct State: Equatable {
                @BindableState var text = ""
                var child: CounterState?
            }

            enum Action: BindableAction, Equatable {
                case binding(BindingAction<State>)
                case child(CounterAction)
                case load
                case loaded(TaskResult<String>)
            }

            @Dependency(\.uuid) var uuid

            var body: some ReducerOf<Self> {
                BindingReducer()
                Reduce { state, action in
                    switch action {
                    case .load:
                        return .task { [uuid] in
                            await .loaded(TaskResult { uuid().uuidString })
                        }
                    case .loaded(.success(let text)):
                        state.text = text
                        state.child = CounterState()
                        return .none
                    case .binding, .child, .loaded: return .none
                    }
                }
                .ifLet(\.child, action: /Action.child) {
                    Reduce(counterReducer, environment: CounterEnvironment())
                }
            }
        }
        let store = TestStore(initialState: Feature.State(), reducer: Feature()) {
            $0.uuid = .constant(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
        }
        await store.send(.set(\.$text, "typed")) { $0.text = "typed" }
        await store.send(.load)
        await store.receive(.loaded(.success("00000000-0000-0000-0000-000000000001"))) {
            $0.text = "00000000-0000-0000-0000-000000000001"
            $0.child = CounterState()
        }
        await store.send(.child(.incrementButtonTapped)) { $0.child?.count = 1 }
        await store.finish()
    }
}

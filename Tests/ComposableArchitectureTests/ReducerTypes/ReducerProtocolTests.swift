import CombineCore
import Dispatch
import FoundationEssentials
import StateCapture
import Testing

@testable import ComposableArchitecture

private struct FactClient: Sendable {
    var fetch: @Sendable (Int) async throws -> String
}

private enum FactKey: DependencyKey {
    static let liveValue = FactClient { "\($0) is live" }
    static let testValue = FactClient { number in
        Issues.report("the fact client was used")
        return "\(number)"
    }
}

extension DependencyValues {
    fileprivate var factClient: FactClient {
        get { self[FactKey.self] }
        set { self[FactKey.self] = newValue }
    }
}

private struct Counter: ReducerProtocol {
    struct State: Equatable, Identifiable {
        var id = 0
        var count = 0
        var fact: String?
    }

    enum Action: Equatable { case up, fact, gotFact(String), wait, close }

    @Dependency(\.factClient) var factClient
    @Dependency(\.mainQueue) var mainQueue

    func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        switch action {
        case .up:
            state.count += 1
            return .none
        case .fact:
            return .task { [count = state.count, factClient] in .gotFact(try await factClient.fetch(count)) }
        case .gotFact(let fact):
            state.fact = fact
            return .none
        case .wait: return Effect(value: .up).delay(for: 1, scheduler: mainQueue).eraseToEffect()
        case .close: return .none
        }
    }
}

private struct Parent: ReducerProtocol {
    struct State: Equatable {
        var first = Counter.State()
        var optional: Counter.State?
        var list: IdentifiedArrayOf<Counter.State> = []
        var log: [String] = []
    }

    enum Action: Equatable {
        case first(Counter.Action)
        case optional(Counter.Action)
        case list(Int, Counter.Action)
        case show(Int?)
        case remove(Int)
    }

    var body: some ReducerOf<Self> {
        Scope(state: \.first, action: /Action.first) { Counter() }
        Reduce { state, action in
            switch action {
            case .optional(.close): state.optional = nil
            case .show(let id): state.optional = id.map { Counter.State(id: $0) }
            case .remove(let id): state.list.remove(id: id)
            default: break
            }
            return .none
        }
        .ifLet(\.optional, action: /Action.optional) { Counter() }
        .forEach(\.list, action: /Action.list) { Counter() }
        oldFashioned
    }

    private let oldFashioned = Reducer<State, Action, Void> { state, action, _ in
        if case .first(.up) = action { state.log.append("first") }
        return .none
    }
}

@Suite struct ReducerProtocolTests {
    private let scheduler = DispatchQueue.test

    private func makeStore() -> TestStoreOf<Parent> {
        TestStore(initialState: Parent.State(), reducer: Parent()) {
            $0.mainQueue = scheduler.eraseToAnyScheduler()
            $0.factClient = FactClient { "\($0) is good" }
        }
    }

    @Test func `scopes and reducer values compose in a body`() async {
        let found = await issues {
            let store = makeStore()
            await store.send(.first(.up)) {
                $0.first.count = 1
                $0.log = ["first"]
            }
            await store.send(.first(.fact))
            await store.receive(.first(.gotFact("1 is good"))) { $0.first.fact = "1 is good" }
            await store.finish()
        }
        #expect(found == [])
    }

    @Test func `effects of a child are cancelled when its state is removed or replaced`() {
        let found = issues {
            let store = makeStore()
            store.send(.show(1)) { $0.optional = Counter.State(id: 1) }
            store.send(.optional(.wait))
            store.send(.optional(.close)) { $0.optional = nil }
            scheduler.advance(by: 2)
            store.send(.show(2)) { $0.optional = Counter.State(id: 2) }
            store.send(.optional(.wait))
            store.send(.show(3)) { $0.optional = Counter.State(id: 3) }
            scheduler.advance(by: 2)
            store.send(.optional(.wait))
            scheduler.advance(by: 1)
            store.receive(.optional(.up)) { $0.optional?.count = 1 }
        }
        #expect(found == [])
    }

    @Test func `effects of a removed element are cancelled, those of other elements continue`() {
        let found = issues {
            let store = TestStore(
                initialState: Parent.State(list: [Counter.State(id: 1), Counter.State(id: 2)]), reducer: Parent()
            ) {
                $0.mainQueue = scheduler.eraseToAnyScheduler()
            }
            store.send(.list(1, .wait))
            store.send(.list(2, .wait))
            store.send(.remove(1)) { $0.list = [Counter.State(id: 2)] }
            scheduler.advance(by: 1)
            store.receive(.list(2, .up)) { $0.list[id: 2]?.count = 1 }
        }
        #expect(found == [])
    }

    @Test func `an action for a missing child is reported`() {
        let found = issues {
            let store = makeStore()
            store.send(.optional(.up))
            store.send(.list(9, .up))
        }
        #expect(found.count == 2)
    }

    @Test func `a test fails when it uses a dependency that it did not override`() async {
        let found = await issues {
            let store = TestStore(initialState: Counter.State(), reducer: Counter())
            await store.send(.up) { $0.count = 1 }
            await store.send(.fact)
            await store.receive(.gotFact("1")) { $0.fact = "1" }
            await store.send(.wait)
            await store.receive(.up) { $0.count = 2 }
        }
        #expect(found.contains("the fact client was used"))
        #expect(found.contains("a test used the dependency \"mainQueue\" without overriding it"))
    }

    @Test func `the store's dependencies apply to its effects too`() {
        struct Reader: ReducerProtocol {
            @Dependency(\.uuid) var uuid

            func reduce(into state: inout [String], action: Bool) -> EffectTask<Bool> {
                state.append(uuid().uuidString)
                guard action else { return .none }
                return .result { [uuid] in .success(uuid().uuidString.isEmpty) }
            }
        }
        let zero = UUIDGenerator.constant(.init(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        let store = Store(initialState: [], reducer: Reader()) { $0.uuid = zero }
        store.send(true)
        let text = "00000000-0000-0000-0000-000000000000"
        #expect(store.state == [text, text])
        let replaced = withDependencies {
            $0.uuid = zero
        } operation: {
            Store(initialState: [], reducer: Reader())
        }
        replaced.send(false)
        #expect(replaced.state == [text])
        let transformed = Store(initialState: [], reducer: Reader().dependency(\.uuid, zero))
        transformed.send(false)
        #expect(transformed.state == [text])
    }

    @Test func `the stores of sessions have their own defaults, those of production`() {
        final class Shared: Sendable {
            let isLive: Bool
            init(isLive: Bool) { self.isLive = isLive }
        }
        enum Key: DependencyKey {
            static var liveValue: Shared { Shared(isLive: true) }
            static var testValue: Shared { Shared(isLive: false) }
        }
        struct Reader: ReducerProtocol {
            @Dependency(Key.self) var shared

            func reduce(into state: inout [Shared], action: Void) -> EffectTask<Void> {
                state.append(shared)
                return .none
            }
        }
        func read(_ stores: [Store<[Shared], Void>]) -> [Shared] {
            for store in stores { store.send(()) }
            return stores.flatMap(\.state)
        }
        func store() -> Store<[Shared], Void> { Store(initialState: [], reducer: Reader()) }
        let hosted = (0..<2).map { _ in
            let registry = StateRegistry(clockOffset: 0)
            registry.seed = 1
            return registry.wire { store() }
        }
        let ofSessions = read(hosted + hosted)
        #expect(ofSessions.allSatisfy { $0.isLive })
        #expect(Set(ofSessions.map(ObjectIdentifier.init)).count == 2)
        let ofTest = read([store(), store()])
        #expect(ofTest.allSatisfy { !$0.isLive })
        #expect(ofTest[0] === ofTest[1])
    }

    @Test func `a reducer type can be converted to a reducer value with an environment`() {
        let counter = Reducer<Counter.State, Counter.Action, Int> { id in
            Counter()
            Reduce { state, action in
                if case .close = action { state.id = id }
                return .none
            }
        }
        var state = Counter.State()
        _ = counter.run(&state, .up, 5)
        _ = counter.run(&state, .close, 5)
        #expect(state == Counter.State(id: 5, count: 1))
        let plain: Reducer<Counter.State, Counter.Action, String> = Reducer(Counter())
        _ = plain.run(&state, .up, "")
        #expect(state.count == 2)
        _ = Reduce(counter, environment: 9).reduce(into: &state, action: .close)
        #expect(state.id == 9)
    }

    @Test func `the effects of a child are cancelled when enum state leaves its case`() {
        struct App: ReducerProtocol {
            enum State: Equatable { case counter(Counter.State), done }
            enum Action: Equatable { case counter(Counter.Action) }

            var body: some ReducerOf<Self> {
                Reduce { state, action in
                    if action == .counter(.close) { state = .done }
                    return .none
                }
                .ifCaseLet(/State.counter, action: /Action.counter) { Counter() }
            }
        }
        let found = issues {
            let store = TestStore(initialState: App.State.counter(.init()), reducer: App()) {
                $0.mainQueue = scheduler.eraseToAnyScheduler()
            }
            store.send(.counter(.up)) { $0 = .counter(.init(count: 1)) }
            store.send(.counter(.wait))
            store.send(.counter(.close)) { $0 = .done }
            scheduler.advance(by: 2)
        }
        #expect(found == [])
    }

    @Test func `builders support conditions and loops, and onChange receives old and new values`() {
        struct App: ReducerProtocol {
            var isLoud: Bool

            var body: some ReducerProtocol<[String], Int> {
                if isLoud { appending("LOUD") } else { appending("quiet") }
                for number in 0..<2 { appending("\(number)") }
                CombineReducers {
                    EmptyReducer<[String], Int>()
                    appending("last")
                }
                .onChange(of: \.count) { old, new in
                    Reduce { state, _ in
                        state.append("\(old)→\(new)")
                        return .none
                    }
                }
            }

            private func appending(_ text: String) -> Reduce<[String], Int> {
                Reduce { state, _ in
                    state.append(text)
                    return .none
                }
            }
        }
        var state: [String] = []
        _ = App(isLoud: true).reduce(into: &state, action: 1)
        #expect(state == ["LOUD", "0", "1", "last", "3→4"])
        state = []
        _ = App(isLoud: false).reduce(into: &state, action: 1)
        #expect(state.first == "quiet")
    }
}

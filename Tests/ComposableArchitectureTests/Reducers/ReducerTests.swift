import CombineCore
import CombineSchedulers
import Dispatch
import Locking
import Testing

@testable import ComposableArchitecture

@Suite struct ReducerTests {
    private struct Counter: Equatable, Identifiable {
        var id = 0
        var count = 0
    }

    private enum CounterAction: Equatable { case up, later }

    private let scheduler = DispatchQueue.test

    private let counter = Reducer<Counter, CounterAction, AnySchedulerOf<DispatchQueue>> { state, action, scheduler in
        switch action {
        case .up:
            state.count += 1
            return .none
        case .later: return Effect(value: .up).delay(for: 1, scheduler: scheduler).eraseToEffect()
        }
    }

    @Test func `a reducer is called like a function`() {
        let reducer = Reducer<Int, Void, Void> { state, _, _ in
            state += 1
            return .none
        }
        var state = 0
        _ = reducer.run(&state, (), ())
        _ = reducer(&state, (), ())
        #expect(state == 2)
    }

    @Test func `combined reducers run in order on one state, and their effects concurrently`() {
        func appending(_ text: String) -> Reducer<String, String, Void> {
            Reducer { state, action, _ in
                state += text
                return action == "go" ? Effect(value: "from \(text)") : .none
            }
        }
        let reducer = Reducer.combine(appending("a"), appending("b")).combined(with: appending("c"))
        var state = ""
        var received: [String] = []
        _ = reducer.run(&state, "go", ()).sink { received.append($0) }
        #expect(state == "abc")
        #expect(received == ["from a", "from b", "from c"])
    }

    @Test func `a pullback changes its part and leaves the rest unchanged`() {
        struct Global: Equatable {
            var counter = Counter()
            var other = 0
        }
        enum GlobalAction: Equatable { case counter(CounterAction), other(CounterAction) }
        let scheduler = scheduler
        let reducer: Reducer<Global, GlobalAction, Void> = counter.pullback(
            state: \.counter, action: /GlobalAction.counter, environment: { scheduler.eraseToAnyScheduler() })
        TestStore(initialState: Global(), reducer: reducer, environment: ()).assert(
            .send(.counter(.up)) { $0.counter.count = 1 },
            .send(.other(.up)),
            .send(.counter(.later)),
            .do { scheduler.advance(by: 1) },
            .receive(.counter(.up)) { $0.counter.count = 2 })
    }

    @Test func `a pullback ignores other actions`() {
        enum GlobalAction { case counter(CounterAction), other }
        final class Watched { var accesses = 0 }
        struct Global {
            let watched = Watched()
            var stored = Counter()
            var counter: Counter {
                get {
                    watched.accesses += 1
                    return stored
                }
                set {
                    watched.accesses += 1
                    stored = newValue
                }
            }
        }
        let reducer: Reducer<Global, GlobalAction, AnySchedulerOf<DispatchQueue>> = counter.pullback(
            state: \.counter, action: /GlobalAction.counter, environment: { $0 })
        var state = Global()
        _ = reducer.run(&state, .other, .immediate)
        #expect(state.watched.accesses == 0)
        _ = reducer.run(&state, .counter(.up), .immediate)
        #expect(state.watched.accesses == 2)
    }

    @Test func `an action for missing state is reported and ignored`() {
        var state: Counter?
        let found = issues { _ = counter.optional().run(&state, .up, .immediate) }
        #expect(state == nil)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("CounterAction.up was received while the state was nil") == true)
        state = Counter()
        #expect(issues { _ = counter.optional().run(&state, .up, .immediate) } == [])
        #expect(state?.count == 1)
    }

    @Test func `the order decides whether a child handles the action that removes it`() {
        enum ParentAction: Equatable { case child(CounterAction) }
        let child: Reducer<Counter?, ParentAction, AnySchedulerOf<DispatchQueue>> = counter.optional().pullback(
            state: \.self, action: /ParentAction.child, environment: { $0 })
        let parent = Reducer<Counter?, ParentAction, AnySchedulerOf<DispatchQueue>> { state, _, _ in
            state = nil
            return .none
        }
        var state: Counter? = Counter()
        #expect(issues { _ = Reducer.combine(child, parent).run(&state, .child(.up), .immediate) } == [])
        state = Counter()
        #expect(issues { _ = Reducer.combine(parent, child).run(&state, .child(.up), .immediate) }.count == 1)
    }

    @Test func `forEach finds elements by position, id and key, and reports missing ones`() {
        struct Global: Equatable {
            var array = [Counter(), Counter()]
            var identified: IdentifiedArrayOf<Counter> = [Counter(id: 1), Counter(id: 2)]
            var dictionary = ["a": Counter()]
        }
        enum GlobalAction: Equatable {
            case array(index: Int, action: CounterAction)
            case identified(id: Int, action: CounterAction)
            case dictionary(key: String, action: CounterAction)
        }
        let reducer = Reducer<Global, GlobalAction, AnySchedulerOf<DispatchQueue>>.combine(
            counter.forEach(state: \.array, action: /GlobalAction.array, environment: { $0 }),
            counter.forEach(state: \.identified, action: /GlobalAction.identified, environment: { $0 }),
            counter.forEach(state: \.dictionary, action: /GlobalAction.dictionary, environment: { $0 }))
        let scheduler = scheduler
        TestStore(initialState: Global(), reducer: reducer, environment: scheduler.eraseToAnyScheduler()).assert(
            .send(.array(index: 1, action: .up)) { $0.array[1].count = 1 },
            .send(.identified(id: 2, action: .up)) { $0.identified[id: 2]?.count = 1 },
            .send(.dictionary(key: "a", action: .up)) { $0.dictionary["a"]?.count = 1 },
            .send(.identified(id: 1, action: .later)),
            .do { scheduler.advance(by: 1) },
            .receive(.identified(id: 1, action: .up)) { $0.identified[id: 1]?.count = 1 })
        var state = Global()
        let found = issues {
            _ = reducer.run(&state, .array(index: 7, action: .up), .immediate)
            _ = reducer.run(&state, .identified(id: 7, action: .up), .immediate)
            _ = reducer.run(&state, .dictionary(key: "b", action: .up), .immediate)
        }
        #expect(found.count == 3)
        #expect(state == Global())
    }

    @Test func `enum state is pulled back to its current case`() {
        enum Screen: Equatable { case counter(Counter), text(String) }
        enum ScreenAction: Equatable { case counter(CounterAction) }
        let reducer: Reducer<Screen, ScreenAction, AnySchedulerOf<DispatchQueue>> = counter.pullback(
            state: /Screen.counter, action: /ScreenAction.counter, environment: { $0 })
        var state = Screen.counter(Counter())
        _ = reducer.run(&state, .counter(.up), .immediate)
        #expect(state == .counter(Counter(count: 1)))
        state = .text("x")
        #expect(issues { _ = reducer.run(&state, .counter(.up), .immediate) }.count == 1)
        #expect(state == .text("x"))
    }

    @Test func `a debugged reducer prints actions and their changes`() {
        let printed = Lock<[String]>([])
        let queue = DispatchQueue(label: "debug")
        let environment = DebugEnvironment(printer: { text in printed.withLock { $0.append(text) } }, queue: queue)
        let reducer = Reducer<Counter, CounterAction, DebugEnvironment> { state, action, _ in
            if action == .up { state.count += 1 }
            return .none
        }
        let store = Store(
            initialState: Counter(),
            reducer: reducer.debug("[p]", environment: { $0 }).debugActions(
                actionFormat: .labelsOnly, environment: { $0 }), environment: environment)
        store.send(.up)
        store.send(.later)
        queue.sync {}
        #expect(
            printed.withLock { $0 } == [
                "received action:\n  CounterAction.up\n",
                "[p]: received action:\n  CounterAction.up\n\u{2007} Counter(\n\u{2007}   id: 0,\n−   count: 0\n+   count: 1\n\u{2007} )\n",
                "received action:\n  CounterAction.later\n",
                "[p]: received action:\n  CounterAction.later\n  (No state changes)\n",
            ])
    }
}

import ComposableMacros
import Testing

struct ReducerMacroTests {
    @Test func `key paths lead actions to all children of a feature`() async {
        let store = TestStore(
            initialState: Screens.State(
                rows: [Counter.State(id: 7)], path: StackState([Counter.State(id: 8)]), extra: Counter.State(id: 9),
                sheet: Counter.State(id: 10))
        ) { Screens() }
        await store.send(\.first.set, 2) { $0.first.count = 2 }
        await store.send(\.rows[id: 7].increment) { $0.rows[id: 7]?.count = 1 }
        await store.send(\.path[id: 0].increment) { $0.path[id: 0]?.count = 1 }
        await store.send(\.path.popFrom, 0) { $0.path = StackState() }
        await store.send(\.extra.increment) { $0.extra?.count = 1 }
        await store.send(\.sheet.increment) { $0.sheet?.count = 1 }
        await store.send(\.sheet.presented.increment) { $0.sheet?.count = 2 }
        await store.send(\.sheet.dismiss) { $0.sheet = nil }
    }

    @Test func `a button of an alert removes it`() async {
        let store = TestStore(initialState: Screens.State()) { Screens() }
        await store.send(\.first.increment) {
            $0.first.count = 1
            $0.alert = AlertState(title: "Really?")
        }
        await store.send(\.alert.confirm) { $0.alert = nil }
    }

    @Test func `a child runs in its case`() async {
        let store = TestStore(initialState: Either.State.counter(Counter.State(id: 0))) { Either() }
        await store.send(\.counter.increment) { $0.modify(\.counter) { $0.count = 1 } }
        await store.send(\.clear) { $0 = .nothing }
    }

    @Test func `a store is scoped by key paths`() {
        let store = Store(initialState: Screens.State()) { Screens() }
        let first: StoreOf<Counter> = store.scope(state: \.first, action: \.first)
        first.send(.set(3))
        #expect(store.withState(\.first.count) == 3)
        #expect(first.withState(\.count) == 3)
        let none: StoreOf<Counter>? = store.scope(state: \.extra, action: \.extra)
        #expect(none == nil)
    }

    @Test func `a feature without parts is complete`() {
        let store = Store(initialState: Nothing.State()) { Nothing() }
        #expect(store.withState { $0 } == Nothing.State())
    }
}

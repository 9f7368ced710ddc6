import ComposableMacros
import Testing

struct NavigationTests {
    @Test func `the presented case runs its feature`() async {
        let store = TestStore(initialState: Navigation.State(id: 0)) { Navigation() }
        await store.send(\.showCounter) { $0.destination = .counter(Counter.State(id: 1)) }
        await store.send(\.destination.counter.increment) {
            $0.destination = .counter(Counter.State(id: 1, count: 1))
        }
        await store.send(\.destination.dismiss) { $0.destination = nil }
    }

    @Test func `a button of a presented alert removes it, and no other case`() async {
        let store = TestStore(initialState: Navigation.State(id: 0)) { Navigation() }
        await store.send(\.showAlert) { $0.destination = .alert(AlertState(title: "Really?")) }
        await store.send(\.destination.alert.confirm) { $0.destination = nil }
    }

    @Test func `showing another case cancels the effects of the one before`() async {
        let store = TestStore(initialState: Navigation.State(id: 0)) { Navigation() }
        await store.send(\.showTicker) { $0.destination = .ticker(Ticker.State()) }
        await store.send(\.destination.ticker.start) { $0.destination = .ticker(Ticker.State(isOn: true)) }
        await store.send(\.showCounter) { $0.destination = .counter(Counter.State(id: 1)) }
        await store.finish()
    }

    @Test func `a presented case dismisses itself`() async {
        let store = TestStore(initialState: Navigation.State(id: 0, destination: .ticker(Ticker.State()))) {
            Navigation()
        }
        await store.send(\.destination.ticker.close)
        await store.receive(\.destination.dismiss) { $0.destination = nil }
        await store.finish()
    }

    @Test func `the elements of a stack run the feature of their case`() async {
        let path = StackState<Navigation.Path.State>([.counter(Counter.State(id: 1)), .ticker(Ticker.State())])
        let store = TestStore(initialState: Navigation.State(id: 0, path: path)) { Navigation() }
        await store.send(\.path[id: 0].counter.increment) {
            $0.path[id: 0] = .counter(Counter.State(id: 1, count: 1))
        }
        await store.send(\.path[id: 1].ticker.start) { $0.path[id: 1] = .ticker(Ticker.State(isOn: true)) }
        await store.send(\.path.popFrom, 1) { $0.path.pop(from: 1) }
        await store.finish()
    }

    @Test func `presented state is a variable like others`() {
        var state = Navigation.State(id: 3, extra: Counter.State(id: 1))
        #expect(state.destination == nil)
        state.extra?.count += 1
        #expect(state.extra == Counter.State(id: 1, count: 1))
        #expect(state.$extra == PresentationState(wrappedValue: state.extra))
        state.$extra.wrappedValue?.count = 5
        #expect(state != Navigation.State(id: 3, extra: Counter.State(id: 1)))
        #expect(state == Navigation.State(id: 3, extra: Counter.State(id: 1, count: 5)))
        state.destination = .link("a")
        #expect(state.destination?.link == "a")
        #expect(state.destination?.counter == nil)
    }
}

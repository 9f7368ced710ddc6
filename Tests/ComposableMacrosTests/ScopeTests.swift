import ComposableMacros
import Locking
import Observation
import Testing

struct ScopeTests {
    private func page(_ lines: Line.State...) -> StoreOf<Page> {
        Store(initialState: Page.State(lines: IdentifiedArray(lines, id: \.id))) { Page() }
    }

    /// Returns whether an action changes what a closure reads.
    private func changes<State, Action>(
        _ store: Store<State, Action>, _ action: Action, reading read: (Store<State, Action>) -> some Any
    ) -> Bool {
        let hasChanged = Lock(false)
        withObservationTracking {
            _ = read(store)
        } onChange: {
            hasChanged.withLock { $0 = true }
        }
        store.send(action)
        return hasChanged.withLock { $0 }
    }

    @Test func `each element of an identified array has a store`() {
        let store = page(Line.State(id: 7), Line.State(id: 8))
        let lines = Array(store.scope(state: \.lines, action: \.lines))
        #expect(lines.map(\.id) == [7, 8])
        lines[1].send(.rename("b"))
        #expect(store.lines[id: 8]?.text == "b")
        #expect(lines.map(\.text) == ["", "b"])
        for line in store.scope(state: \.lines, action: \.lines) { line.send(.toggle) }
        #expect(store.lines.allSatisfy { $0.isDone })
    }

    @Test func `the store of an element follows its id, and keeps the last value`() {
        let store = page(Line.State(id: 1, text: "a"), Line.State(id: 2, text: "b"))
        let lines = Array(store.scope(state: \.lines, action: \.lines))
        store.send(.swap)
        #expect(lines.map(\.text) == ["a", "b"])
        store.send(.reset)
        #expect(Array(store.scope(state: \.lines, action: \.lines)).isEmpty)
        #expect(lines.map(\.text) == ["a", "b"])
    }

    @Test func `the stores of elements are observed as the array is`() {
        func count(_ store: StoreOf<Page>) -> Int { Array(store.scope(state: \.lines, action: \.lines)).count }
        let rename = Page.Action.lines(.element(id: 1, action: .rename("a")))
        #expect(!changes(page(Line.State(id: 1)), rename, reading: count))
        #expect(changes(page(Line.State(id: 1)), .reset, reading: count))
    }

    @Test func `a stack has a store, and so has each of its elements`() throws {
        let path = StackState<Navigation.Path.State>([.counter(Counter.State(id: 1)), .ticker(Ticker.State())])
        let store = Store(initialState: Navigation.State(id: 0, path: path)) { Navigation() }
        let stack: Store<StackState<Navigation.Path.State>, StackActionOf<Navigation.Path>> = store.scope(
            state: \.path, action: \.path)
        let first: StoreOf<Navigation.Path>? = stack.scope(state: \.[id: 0], action: \.[id: 0])
        guard case .counter(let counter)? = first?.case else {
            Issue.record("expected a counter")
            return
        }
        counter.send(.set(4))
        #expect(store.withState { $0.path[id: 0, case: \.counter]?.count } == 4)
        let none: StoreOf<Navigation.Path>? = stack.scope(state: \.[id: 9], action: \.[id: 9])
        #expect(none == nil)
        stack.send(.popFrom(id: 0))
        #expect(counter.withState(\.count) == 4)
    }

    @Test func `a presented case has a store`() throws {
        let store = Store(initialState: Navigation.State(id: 0)) { Navigation() }
        let presented = store.scope(state: \.$destination, action: \.destination)
        #expect(presented.counter == nil)
        #expect(presented.case == nil)
        store.send(.showCounter)
        let counter: StoreOf<Counter> = try #require(presented.counter)
        counter.send(.increment)
        #expect(store.withState { $0.destination?.counter?.count } == 1)
        #expect(presented.ticker == nil)
        presented.send(.dismiss)
        #expect(presented.counter == nil)
        #expect(counter.withState(\.count) == 1)
    }

    @Test func `a presented value that is not a feature is itself`() {
        let store = Store(initialState: Navigation.State(id: 0)) { Navigation() }
        let presented = store.scope(state: \.$destination, action: \.destination)
        store.send(.showAlert)
        let alert: AlertState<Navigation.Destination.Alert>? = presented.alert
        #expect(alert?.title == TextState("Really?"))
        let survey = Store(initialState: Survey.State()) { Survey() }
        survey.send(.turn(3))
        guard case .place(page: 3, line: 1)? = survey.scope(state: \.$destination, action: \.destination).case else {
            Issue.record("expected a place")
            return
        }
    }

    @Test func `who reads the presented case observes which one it is`() {
        func line(_ store: StoreOf<Page>) -> StoreOf<Line>? {
            store.scope(state: \.$sheet, action: \.sheet).line
        }
        #expect(changes(page(), .open, reading: line))
        let open = page()
        open.send(.open)
        #expect(!changes(open, .sheet(.presented(.line(.toggle))), reading: line))
        #expect(line(open)?.isDone == true)
        #expect(changes(open, .sheet(.dismiss), reading: line))
    }

    @Test func `a store of presented state is observed`() {
        let store = page()
        let presented = store.scope(state: \.$sheet, action: \.sheet)
        #expect(changes(store, .open) { _ in presented.line })
        #expect(changes(store, .sheet(.dismiss)) { _ in presented.line })
        #expect(!changes(store, .title("a")) { _ in presented.line })
    }

    @Test func `who reads the store of an optional child observes whether it exists`() {
        func sheet(_ store: StoreOf<Page>) -> StoreOf<Page.Sheet>? {
            store.scope(state: \.sheet, action: \.sheet.presented)
        }
        #expect(changes(page(), .open, reading: sheet))
        #expect(!changes(page(), .title("a"), reading: sheet))
    }
}

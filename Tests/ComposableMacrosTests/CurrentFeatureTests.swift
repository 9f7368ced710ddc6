import ComposableMacros
import Testing

struct CurrentFeatureTests {
    @Test func `onChange runs a closure with the old value and the state`() async {
        let store = TestStore(initialState: Editor.State()) { Editor() }
        await store.send(\.view.binding.text, "ab") {
            $0.text = "ab"
            $0.length = 2
        }
        await store.send(\.view.binding.text, "ab")
        await store.send(\.view.binding.text, "abc") {
            $0.text = "abc"
            $0.length = 3
        }
        await store.receive(\.saved) { $0.saves = 1 }
    }

    @Test func `animations and transactions do not change what is sent`() async {
        let store = TestStore(initialState: Editor.State()) { Editor() }
        await store.send(\.view.saveTapped)
        await store.receive(\.saved) { $0.saves = 1 }
        await store.send(\.view.saveTwiceTapped)
        await store.receive(\.saved) { $0.saves = 2 }
        await store.receive(\.saved) { $0.saves = 3 }
        let live = Store(initialState: Editor.State()) { Editor() }
        live.send(.saved, animation: .default)
        live.send(.saved, transaction: Transaction(animation: .easeIn))
        #expect(live.saves == 2)
    }

    @Test func `a view sends its actions without their case`() {
        let store = Store(initialState: Editor.State()) { Editor() }
        let page = EditorPage(store: store)
        page.type("abc")
        #expect(store.text == "abc")
        #expect(store.length == 3)
        page.send(.binding(.set(\.text, "")), transaction: Transaction())
        #expect(store.length == 0)
    }

    @Test func `state that is marked as ephemeral goes away with its action`() async {
        let store = TestStore(initialState: Survey.State()) { Survey() }
        await store.send(\.ask) { $0.destination = .question(AlertState(title: "Sure?")) }
        await store.send(\.destination.question, .yes) { $0.destination = nil }
        await store.send(\.counter.increment) { $0.counter.count = 1 }
    }

    @Test func `a case with a default value runs that reducer`() async {
        let store = TestStore(initialState: Survey.State()) { Survey() }
        await store.send(\.count) { $0.destination = .counter(Counter.State(id: 1)) }
        await store.send(\.destination.counter.increment) { $0.destination?.modify(\.counter) { $0.count = 1 } }
    }

    @Test func `an endpoint has a method of another name`() throws {
        let client = NumberClient(fetch: { "\($0)" }, generate: { 5 })
        #expect(try client.fact(number: 3) == "3")
        #expect(try client.next() == 5)
    }

    /// The type has two parameters, as in current versions.
    private func counter() -> TestStore<Counter.State, Counter.Action> {
        TestStore(initialState: Counter.State(id: 0)) {
            Counter()
        } withDependencies: {
            $0.facts.fetch = { "\($0)" }
        }
    }

    @Test func `the closure of a step may have its label`() async {
        let store: TestStoreOf<Counter> = counter()
        await store.send(.increment, assert: { $0.count = 1 })
        await store.send(\.increment, assert: { $0.count = 2 })
        await store.send(\.set, 3, assert: { $0.count = 3 })
        await store.send(\.factButtonTapped)
        await store.receive(.factResponse("3"), assert: { $0.fact = "3" })
        for number in 4...6 {
            await store.send(.set(number), assert: { $0.count = number })
            await store.send(.factButtonTapped)
            let fact = "\(number)"
            switch number {
            case 4: await store.receive(\.factResponse, timeout: .seconds(1), assert: { $0.fact = fact })
            case 5: await store.receive(\.factResponse, fact, assert: { $0.fact = fact })
            default: await store.receive({ $0 == .factResponse(fact) }, assert: { $0.fact = fact })
            }
        }
    }
}

import Testing

@testable import ComposableArchitecture

@Suite struct BindingTests {
    private struct Form: Equatable, Codable {
        @BindableState var name = ""
        @BindableState var steps = 1
        var slider = 5.0
        var log: [String] = []
    }

    private enum FormAction: BindableAction, Equatable { case binding(BindingAction<Form>), reset }

    private let reducer = Reducer<Form, FormAction, Void> { state, action, _ in
        switch action {
        case .binding(\.$steps):
            state.slider = min(state.slider, Double(state.steps))
            return .none
        case .binding(\.slider):
            state.log.append("slid")
            return .none
        case .binding: return .none
        case .reset:
            state = Form()
            return .none
        }
    }
    .binding()

    @Test func `one action sets any property, before the reducer reacts to it`() {
        let store = TestStore(initialState: Form(), reducer: reducer, environment: ())
        store.send(.set(\.$name, "Blob")) { $0.name = "Blob" }
        store.send(.set(\.$steps, 3)) {
            $0.steps = 3
            $0.slider = 3
        }
        store.send(.binding(.set(\.slider, 2))) {
            $0.slider = 2
            $0.log = ["slid"]
        }
    }

    @Test func `binding actions are equal if they set the same property to equal values`() {
        #expect(BindingAction<Form>.set(\.$name, "a") == .set(\.$name, "a"))
        #expect(BindingAction<Form>.set(\.$name, "a") != .set(\.$name, "b"))
        #expect(BindingAction<Form>.set(\.$steps, 1) != .set(\.$name, "a"))
        struct Outer: Equatable { var form = Form() }
        let outer = BindingAction<Form>.set(\.$name, "a").pullback(\Outer.form)
        #expect(outer == .set(\Outer.form.$name, "a"))
        var state = Outer()
        outer.set(&state)
        #expect(state.form.name == "a")
    }

    @Test func `a reducer type can list a binding reducer`() {
        struct Feature: ReducerProtocol {
            typealias State = Form
            typealias Action = FormAction

            var body: some ReducerOf<Self> {
                BindingReducer()
                Reduce { state, action in
                    if case .binding(\.$name) = action { state.log.append(state.name) }
                    return .none
                }
            }
        }
        var state = Form()
        _ = Feature().reduce(into: &state, action: .set(\.$name, "x"))
        #expect(state.name == "x")
        #expect(state.log == ["x"])
    }

    @Test func `a binding of a view store reads the state and sends written values`() {
        let view = ViewStore(Store(initialState: Form(), reducer: reducer, environment: ()))
        let name = view.binding(\.$name)
        name.wrappedValue = "typed"
        #expect(view.name == "typed")
        #expect(name.wrappedValue == "typed")
        let slider = view.binding(get: \.slider, send: { .binding(.set(\.slider, $0)) })
        slider.wrappedValue = 1
        #expect(view.slider == 1)
        view.binding(get: { _ in 0 }, send: .reset).wrappedValue = 5
        #expect(view.state == Form())
        let whole = view.binding(send: { .set(\.$name, $0.name) })
        whole.name.wrappedValue = "part"
        #expect(view.name == "part")
        view.binding(send: .reset).wrappedValue = Form()
        #expect(view.name == "")
    }
}

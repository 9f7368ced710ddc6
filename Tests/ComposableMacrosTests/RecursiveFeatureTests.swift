import ComposableMacros
import Testing

/// A feature that presents itself.
@Reducer
private struct Folder {
    @ObservableState
    struct State: Equatable {
        var name: String
        @Presents var inner: State?
    }

    enum Action {
        case opened(String)
        case renamed(String)
        case inner(PresentationAction<Action>)
    }

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .opened(let name): state.inner = State(name: name)
            case .renamed(let name): state.name = name
            case .inner: break
            }
            return .none
        }
        .ifLet(\.$inner, action: \.inner) { Folder() }
    }
}

@Suite struct RecursiveFeatureTests {
    @Test func `a feature can present itself`() async {
        let store = TestStore(initialState: Folder.State(name: "/")) { Folder() }
        await store.send(.opened("usr")) { $0.inner = Folder.State(name: "usr") }
        await store.send(\.inner.opened, "bin") { $0.inner?.inner = Folder.State(name: "bin") }
        await store.send(\.inner.inner.renamed, "lib") { $0.inner?.inner?.name = "lib" }
        await store.send(\.inner.inner.dismiss) { $0.inner?.inner = nil }
        await store.send(\.inner.dismiss) { $0.inner = nil }
    }

    @Test func `a copy keeps its child when the original changes it`() {
        var original = Folder.State(name: "/", inner: Folder.State(name: "usr"))
        let copy = original
        original.inner?.name = "bin"
        #expect(copy.inner?.name == "usr")
        #expect(original != copy)
        original.inner = nil
        #expect(copy.inner?.name == "usr")
    }
}

import CasePaths
import Testing

@testable import ComposableArchitecture

@Suite struct ModificationTests {
    private struct State: Equatable {
        var child: Int? = 1
    }

    @Test func `a value that exists is modified`() {
        var state = State()
        XCTModify(&state.child) { $0 += 1 }
        #expect(state.child == 2)
    }

    @Test func `a missing value and a closure without effect are reported`() {
        let found = issues {
            var state = State()
            XCTModify(&state.child) { _ in }
            state.child = nil
            XCTModify(&state.child, "child") { $0 += 1 }
        }
        #expect(
            found == [
                "Expected the value of the type Int to be modified, but it was unchanged.",
                "Expected a value of the type Int to modify, got none. - child",
            ])
    }

    @Test func `a value may stay unchanged in a step that is not exhaustive`() async {
        let found = await issues {
            let store = TestStore(initialState: State()) { EmptyReducer<State, Bool>() }
            store.exhaustivity = .off(showSkippedAssertions: false)
            await store.send(true) { XCTModify(&$0.child) { _ in } }
        }
        #expect(found == [])
    }
}

import ComposableMacros
import Foundation
import Locking
import Observation
import Testing

struct ObservableStateTests {
    private func store() -> StoreOf<Page> {
        Store(initialState: Page.State(lines: [Line.State(id: 1), Line.State(id: 2)])) { Page() }
    }

    /// Returns whether actions change what a closure reads.
    private func changes(
        _ store: StoreOf<Page>, reading read: (StoreOf<Page>) -> some Any, when actions: Page.Action...
    ) -> Bool {
        let hasChanged = Lock(false)
        withObservationTracking {
            _ = read(store)
        } onChange: {
            hasChanged.withLock { $0 = true }
        }
        for action in actions { store.send(action) }
        return hasChanged.withLock { $0 }
    }

    @Test func `a member is observed, and no other`() {
        #expect(changes(store(), reading: { $0.title }, when: .title("a")))
        #expect(changes(store(), reading: { $0.length }, when: .title("a")))
        #expect(!changes(store(), reading: { $0.title }, when: .log("a"), .first(.toggle)))
        #expect(!changes(store(), reading: { $0.ignored }, when: .ignored))
        #expect(changes(store(), reading: { $0.log }, when: .log("a")))
    }

    @Test func `an equal value is not a change`() {
        #expect(!changes(store(), reading: { $0.title }, when: .title("")))
    }

    @Test func `a change of a child concerns those who read the child's member`() {
        #expect(changes(store(), reading: { $0.first.text }, when: .first(.rename("a"))))
        #expect(!changes(store(), reading: { $0.first.isDone }, when: .first(.rename("a"))))
        #expect(!changes(store(), reading: { $0.first }, when: .first(.rename("a"))))
        #expect(changes(store(), reading: { $0.first }, when: .replaceFirst))
        #expect(changes(store(), reading: { $0.first.isDone }, when: .replaceFirst))
    }

    @Test func `a collection changes when elements come, go or move`() {
        let rename = Page.Action.lines(.element(id: 1, action: .rename("a")))
        #expect(!changes(store(), reading: { $0.lines.count }, when: rename))
        #expect(changes(store(), reading: { $0.lines[0].text }, when: rename))
        #expect(!changes(store(), reading: { $0.lines[0].isDone }, when: rename))
        #expect(changes(store(), reading: { $0.lines.count }, when: .swap))
    }

    @Test func `presented state is observed`() {
        #expect(changes(store(), reading: { $0.sheet }, when: .open))
        let open = store()
        open.send(.open)
        #expect(!changes(open, reading: { $0.sheet }, when: .sheet(.presented(.line(.toggle)))))
        #expect(changes(open, reading: { $0.sheet?.line?.isDone }, when: .sheet(.presented(.line(.toggle)))))
        #expect(changes(open, reading: { $0.sheet }, when: .sheet(.dismiss)))
    }

    @Test func `another state in place of the whole is a change of everything`() {
        #expect(changes(store(), reading: { $0.title }, when: .reset))
        let replaced = store()
        replaced.send(.reset)
        #expect(changes(replaced, reading: { $0.title }, when: .title("a")))
    }

    @Test func `a scoped store is observed`() {
        let store = store()
        let first: StoreOf<Line> = store.scope(state: \.first, action: \.first)
        #expect(changes(store, reading: { _ in first.text }, when: .first(.rename("a"))))
        #expect(first.text == "a")
        #expect(changes(store, reading: { _ in first.isDone }, when: .replaceFirst))
    }

    @Test func `a copy in place of the original is another state`() {
        var parent = Page.State()
        let copy = parent.first
        let before = parent._$id
        func replace(_ line: inout Line.State, by other: Line.State) { line = other }
        let hasChanged = Lock(false)
        withObservationTracking {
            _ = parent.first
        } onChange: {
            hasChanged.withLock { $0 = true }
        }
        replace(&parent.first, by: copy)
        #expect(hasChanged.withLock { $0 })
        #expect(parent._$id == before)
        #expect(parent._$id != Page.State()._$id)
    }

    @Test func `observers are not part of the value`() throws {
        #expect(Page.State() == Page.State())
        let line = Line.State(id: 1, text: "a", isDone: true)
        let json = try JSONEncoder().encode(line)
        #expect(try JSONDecoder().decode(Line.State.self, from: json) == line)
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.contains(#""text":"a""#))
        #expect(!text.contains("_"))
    }

    @Test func `a state reports which members changed`() {
        var (state, baseline): (Line.State, ObservableStateID?) = (Line.State(id: 1), nil)
        #expect(Line.State._$memberNames == ["text", "isDone"])
        #expect(state._$takeChanges(since: &baseline) == .all)
        #expect(state._$takeChanges(since: &baseline) == .none)
        state.isDone = true
        let earlier = state
        let changes = state._$takeChanges(since: &baseline)
        #expect(!changes.contains(0))
        #expect(changes.contains(1))
        state.text = "a"
        _ = state._$takeChanges(since: &baseline)
        state = earlier
        #expect(state._$takeChanges(since: &baseline) == .all)
    }

    @Test func `a test store compares observable state and shows its members`() async {
        let store = TestStore(initialState: Line.State(id: 1)) { Line() }
        await store.send(\.rename, "a") { $0.text = "a" }
        await store.send(\.toggle) { $0.isDone = true }
        let messages = Lock<[String]>([])
        await withIssueHandler {
            issue in
            messages.withLock { $0.append(issue.message) }
        } body: {
            _ = await store.send(\.rename, "b") { $0.text = "c" }
        }
        let message = messages.withLock { $0 }.first ?? ""
        #expect(message.contains("text: \"c\""), "\(message)")
        #expect(!message.contains("_"), "\(message)")
    }

    @MainActor @Test func `observe runs again after a change`() async {
        let store = store()
        let seen = Lock<[String]>([])
        let token = observe { seen.withLock { $0.append(store.title) } }
        #expect(seen.withLock { $0 } == [""])
        store.send(.title("a"))
        store.send(.log("x"))
        while seen.withLock({ $0.count }) < 2 { await Task.yield() }
        #expect(seen.withLock { $0 } == ["", "a"])
        token.cancel()
        store.send(.title("b"))
        for _ in 0..<100 { await Task.yield() }
        #expect(seen.withLock { $0 } == ["", "a"])
    }
}

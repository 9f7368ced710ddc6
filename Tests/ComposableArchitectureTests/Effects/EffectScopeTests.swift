import CombineCore
import CombineSchedulers
import Dispatch
import Locking
import Testing

@testable import ComposableArchitecture

/// Cancellation ids are scoped to the root store that runs the effect.
@Suite struct EffectScopeTests {
    @Test func `cancelling an id in one store leaves the effect with the same id in another store running`() {
        let (one, two) = (ListeningStore(), ListeningStore())
        one.store.send(.start)
        two.store.send(.start)
        one.store.send(.cancel)
        one.subject.send(1)
        two.subject.send(2)
        #expect([one.store.state, two.store.state] == [0, 2])
    }

    @Test func `cancelInFlight cancels the effects of its own store only`() {
        let (one, two) = (ListeningStore(cancelInFlight: true), ListeningStore(cancelInFlight: true))
        one.store.send(.start)
        two.store.send(.start)
        one.subject.send(1)
        two.subject.send(2)
        #expect([one.store.state, two.store.state] == [1, 2])
    }

    @Test func `debouncing an id in one store does not delay the other store`() {
        let scheduler = DispatchQueue.test
        let debounced = Reducer<Int, Int, Void> { state, action, _ in
            guard action < 0 else {
                state = action
                return .none
            }
            return Effect(value: -action).debounce(id: "search", for: 2, scheduler: scheduler)
        }
        let one = Store(initialState: 0, reducer: debounced, environment: ())
        let two = Store(initialState: 0, reducer: debounced, environment: ())
        one.send(-1)
        scheduler.advance(by: 1)
        two.send(-2)
        scheduler.advance(by: 1)
        #expect([one.state, two.state] == [1, 0])
    }

    @Test func `a scoped store shares the ids of its root store`() {
        let root = ListeningStore()
        let scoped = root.store.scope(state: { $0 })
        root.store.send(.start)
        scoped.send(.cancel)
        root.subject.send(1)
        #expect(root.store.state == 0)
    }

    @Test func `effects without a store are cancelled in their own session only`() {
        let (one, two) = (FakeSession(), FakeSession())
        let subject = PassthroughSubject<Int, Never>()
        var values: [String] = []
        var tokens: [AnyCancellable] = []
        for (name, session) in [("one", one), ("two", two)] {
            MainContext.with(session) {
                Effect(subject).cancellable(id: "work").sink { values.append("\(name) \($0)") }.store(in: &tokens)
            }
        }
        #expect(cancellationCancellables["work"] == nil)
        MainContext.with(one) { _ = Effect<Never, Never>.cancel(id: "work").sink { _ in } }
        subject.send(1)
        #expect(values == ["two 1"])
    }

    @Test func `an effect that is created in a turn outside the reducer belongs to the session's store`() {
        let (one, two) = (FakeSession(), FakeSession())
        let roots = [one, two].map { session in MainContext.with(session) { ListeningStore() } }
        let subject = PassthroughSubject<Int, Never>()
        var values: [Int] = []
        let token = MainContext.with(two) {
            Effect(subject).cancellable(id: ListeningStore.ID()).sink { values.append($0) }
        }
        MainContext.with(one) { _ = roots[0].store.send(.cancel) }
        subject.send(1)
        MainContext.with(two) { _ = roots[1].store.send(.cancel) }
        subject.send(2)
        #expect(values == [1])
        withExtendedLifetime(token) {}
    }

    @Test func `a session's scopes do not keep the session alive`() {
        weak var released: FakeSession?
        do {
            let session = FakeSession()
            released = session
            let root = MainContext.with(session) { ListeningStore() }
            MainContext.with(session) { _ = Effect<Never, Never>.cancel(id: "work").sink { _ in } }
            #expect(session.attachment != nil)
            withExtendedLifetime(root) {}
        }
        #expect(released == nil)
    }
}

/// A store whose effect listens to a subject of its own, under an id that all these stores share.
private struct ListeningStore {
    struct ID: Hashable {}
    enum Action { case start, cancel, value(Int) }

    let subject = PassthroughSubject<Int, Never>()
    let store: Store<Int, Action>

    init(cancelInFlight: Bool = false) {
        let subject = subject
        let reducer = Reducer<Int, Action, Void> { state, action, _ in
            switch action {
            case .start:
                return subject.map(Action.value).eraseToEffect().cancellable(id: ID(), cancelInFlight: cancelInFlight)
            case .cancel: return .cancel(id: ID())
            case .value(let value):
                state = value
                return .none
            }
        }
        store = Store(initialState: 0, reducer: reducer, environment: ())
    }
}

/// A session that runs nothing by itself. Used on one thread.
private final class FakeSession: MainSubstitute, @unchecked Sendable {
    var attachment: AnyObject?
    var now: Duration { .zero }

    func schedule(_ action: @escaping () -> Void) {}

    func schedule(after interval: Duration, _ action: @escaping () -> Void) -> any Cancellable {
        Subscriptions.empty
    }
}

import CombineCore
import Dispatch
import StackTesting
import Testing

@testable import ComposableArchitecture

@Suite struct StoreTests {
    @Test func `an effect that completes immediately is not stored`() {
        let reducer = Reducer<Void, Void, Void> { _, _, _ in .fireAndForget {} }
        let store = Store(initialState: (), reducer: reducer, environment: ())
        store.send(())
        #expect(store.effectCancellables.isEmpty)
    }

    @Test func `an effect is stored until it completes`() {
        let scheduler = DispatchQueue.test
        enum Action { case start, end }
        let reducer = Reducer<Void, Action, Void> { _, action, _ in
            switch action {
            case .start: Effect(value: .end).delay(for: 1, scheduler: scheduler).eraseToEffect()
            case .end: .none
            }
        }
        let store = Store(initialState: (), reducer: reducer, environment: ())
        store.send(.start)
        #expect(store.effectCancellables.count == 1)
        scheduler.advance(by: 2)
        #expect(store.effectCancellables.isEmpty)
    }

    @Test func `a scoped store and its parent follow each other`() {
        let parent = Store(initialState: 0, reducer: counting, environment: ())
        let parentView = ViewStore(parent)
        let child = parent.scope(state: { String($0) })
        var states: [String] = []
        let token = child.$state.sink { states.append($0) }
        #expect(states == ["0"])
        parentView.send(())
        #expect(states == ["0", "1"])

        var counts: [Int] = []
        let counting = parent.$state.sink { counts.append($0) }
        child.send(())
        #expect(counts == [1, 2])
        #expect(child.state == "2")
        withExtendedLifetime((token, counting)) {}
    }

    @Test func `an action and those that its effects send at once are published together`() {
        let reducer = Reducer<Int, Int, Void> { state, action, _ in
            state += 1
            return action == 0 ? .none : .concatenate(.send(action - 1), Just(0).eraseToEffect())
        }
        let store = Store(initialState: 0, reducer: reducer, environment: ())
        let child = store.scope(state: { -$0 })
        var (seen, followed) = ([Int](), [Int]())
        let tokens = [store.$state.sink { seen.append($0) }, child.$state.sink { followed.append($0) }]
        store.send(2)
        #expect(seen == [0, 5])
        child.send(0)
        #expect(seen == [0, 5, 6])
        #expect(followed == [0, -5, -6])
        withExtendedLifetime(tokens) {}
    }

    @Test func `building one scope derives the local state once, and each send once more`() {
        var calls = 0
        let store = Store(initialState: 0, reducer: Reducer<Int, Void, Void>.empty, environment: ())
            .scope(state: { state -> Int in
                calls += 1
                return state
            })
        #expect(calls == 1)
        store.send(())
        #expect(calls == 2)
    }

    @Test func `nested scopes derive their local states once for each change`() {
        var calls = [0, 0, 0]
        func counted(_ index: Int) -> (Int) -> Int {
            { state in
                calls[index] += 1
                return state
            }
        }
        let root = Store(initialState: 0, reducer: counting, environment: ())
        let innermost = root.scope(state: counted(0)).scope(state: counted(1)).scope(state: counted(2))
        #expect(calls == [1, 1, 1])
        innermost.send(())
        #expect(calls == [2, 2, 2])
        innermost.send(())
        #expect(calls == [3, 3, 3])
        #expect(innermost.state == 2)
    }

    @Test func `actions that effects send while starting are processed after pending ones`() {
        enum Action { case tap, next1, next2, end }
        var values: [Int] = []
        let reducer = Reducer<Void, Action, Void> { _, action, _ in
            switch action {
            case .tap: return .merge(Effect(value: .next1), Effect(value: .next2), .fireAndForget { values.append(1) })
            case .next1: return .merge(Effect(value: .end), .fireAndForget { values.append(2) })
            case .next2: return .fireAndForget { values.append(3) }
            case .end: return .fireAndForget { values.append(4) }
            }
        }
        Store(initialState: (), reducer: reducer, environment: ()).send(.tap)
        #expect(values == [1, 2, 3, 4])
    }

    @Test(.smallStack, arguments: [true, false])
    func `10,000 consecutive actions do not grow the stack`(asPublisher: Bool) {
        enum Action { case increment, none }
        let reducer = Reducer<Int, Action, Void> { state, action, _ in
            guard case .increment = action else { return .none }
            state += 1
            guard state < 10_000 else { return .none }
            return asPublisher ? Just(.increment).eraseToEffect() : Effect(value: .increment)
        }
        let store = Store(initialState: 0, reducer: reducer, environment: ())
        store.send(.increment)
        #expect(store.state == 10_000)
    }

    @Test func `actions that are sent while a state is published are buffered`() {
        let store = Store(initialState: 0, reducer: adding, environment: ())
        var seen: [Int] = []
        let token = store.$state.sink { state in
            seen.append(state)
            if state == 1 {
                store.send(10)
                store.send(100)
            }
        }
        store.send(1)
        #expect(seen == [0, 1, 111])
        #expect(store.state == 111)
        withExtendedLifetime(token) {}
    }

    @Test func `actions that a reducer sends are processed after it has returned`() {
        var store: Store<[Int], Int>?
        let reducer = Reducer<[Int], Int, Void> { state, action, _ in
            if action == 1 { store?.send(2) }
            state.append(action)
            return .none
        }
        store = Store(initialState: [], reducer: reducer, environment: ())
        store?.send(1)
        #expect(store?.state == [1, 2])
    }

    @Test func `an action that a scoped store sends during publication does not revert the state`() {
        let root = Store(initialState: 0, reducer: adding, environment: ())
        let child = root.scope(state: { $0 })
        var seen: [Int] = []
        let token = child.$state.sink { state in
            seen.append(state)
            if state == 1 { child.send(10) }
        }
        root.send(1)
        #expect(child.state == 11)
        #expect(seen == [0, 1, 11])
        withExtendedLifetime(token) {}
    }

    @Test func `a subscriber that reads the store while a state is published sees the previous state`() {
        let store = Store(initialState: 0, reducer: adding, environment: ())
        var read: [Int] = []
        let token = store.$state.sink { _ in read.append(store.state) }
        store.send(5)
        #expect(read == [0, 0])
        withExtendedLifetime(token) {}
    }

    @Test func `a subscriber that attaches while a state is published receives the new state`() {
        let store = Store(initialState: 0, reducer: adding, environment: ())
        var late: [Int] = []
        var tokens: [AnyCancellable] = []
        store.$state.dropFirst().first().sink { _ in
            store.$state.sink { late.append($0) }.store(in: &tokens)
        }
        .store(in: &tokens)
        store.send(7)
        #expect(late == [7])
    }

    @Test func `the running effects of a root store are cancelled with it`() {
        let subject = PassthroughSubject<Void, Never>()
        var wasCancelled = false
        let reducer = Reducer<Int, Void, Void> { _, _, _ in
            .run { subscriber in
                let token = subject.sink { subscriber.send(()) }
                return AnyCancellable {
                    token.cancel()
                    wasCancelled = true
                }
            }
        }
        weak var gone: Store<Int, Void>?
        do {
            let store = Store(initialState: 0, reducer: reducer, environment: ())
            gone = store
            store.send(())
            #expect(!wasCancelled)
        }
        #expect(gone == nil)
        #expect(wasCancelled)
        subject.send()
    }

    @Test func `a scoped store retains its parent and is released with its owners`() {
        weak var parent: Store<Int, Void>?
        var child: Store<Int, Void>?
        do {
            let root = Store(initialState: 0, reducer: counting, environment: ())
            parent = root
            child = root.scope(state: { $0 + 1 })
        }
        #expect(parent != nil)
        child?.send(())
        #expect(child?.state == 2)
        child = nil
        #expect(parent == nil)
    }

    @Test func `a publisher scope creates a store for each value`() {
        let parent = Store(initialState: 0, reducer: adding, environment: ())
        var outputs: [Int] = []
        var stores: [Store<Int, Int>] = []
        let token = parent.scope(state: { $0.map { $0 / 10 }.removeDuplicates() }).sink { store in
            stores.append(store)
            outputs.append(store.state)
        }
        parent.send(5)
        parent.send(5)
        parent.send(10)
        #expect(outputs == [0, 1, 2])
        stores.last?.send(3)
        #expect(parent.state == 23)
        withExtendedLifetime(token) {}
    }

    @Test func `ifLet calls the closure for the current state immediately, then only on changes`() {
        let store = Store<Int?, Int?>(
            initialState: nil,
            reducer: Reducer<Int?, Int?, Void> { state, action, _ in
                state = action
                return .none
            }, environment: ())
        var heard: [String] = []
        var unwrapped: Store<Int, Int?>?
        let token = store.ifLet(
            then: { inner in
                unwrapped = inner
                heard.append("then \(inner.state)")
            }, else: { heard.append("else") })
        #expect(heard == ["else"])
        store.send(1)
        #expect(heard == ["else", "then 1"])
        store.send(2)
        #expect(heard == ["else", "then 1"])
        #expect(unwrapped?.state == 2)
        store.send(nil)
        #expect(heard == ["else", "then 1", "else"])
        #expect(unwrapped?.state == 2)
        store.send(3)
        #expect(heard == ["else", "then 1", "else", "then 3"])
        token.cancel()
        store.send(nil)
        #expect(heard.count == 4)
    }

    @Test func `ifLet retains its scoped store until it is cancelled`() {
        weak var released: Store<Parent, Int?>?
        var events: [String] = []
        do {
            let store = Store<Parent, Int?>(
                initialState: Parent(),
                reducer: Reducer<Parent, Int?, Void> { state, action, _ in
                    state.child = action
                    return .none
                }, environment: ())
            released = store
            var tokens: Set<AnyCancellable> = []
            store.scope(state: \.child)
                .ifLet(then: { events.append("then \($0.state)") }, else: { events.append("else") })
                .store(in: &tokens)
            for action in [1, nil, 2] { store.send(action) }
            #expect(events == ["else", "then 1", "else", "then 2"])
            tokens = []
            store.send(nil)
            #expect(events.count == 4)
        }
        #expect(released == nil)
    }

    @Test func `publishers of scoped stores retain them and follow the parent`() {
        let parent = Store(initialState: 0, reducer: adding, environment: ())
        var tokens: Set<AnyCancellable> = []
        var (views, stores): ([Int], [Int]) = ([], [])
        ViewStore(parent.scope(state: { $0 + 1 })).publisher.sink { views.append($0) }.store(in: &tokens)
        parent.scope(state: { $0 * 2 }).scope(state: { $0.removeDuplicates() })
            .sink { stores.append($0.state) }.store(in: &tokens)
        parent.send(1)
        parent.send(1)
        #expect(views == [1, 2, 3])
        #expect(stores == [0, 2, 4])
    }

    @Test(arguments: [true, false]) func `finish ignores effects that ended with their store`(isReleased: Bool) {
        let reducer = Reducer<Int, Void, Void> { _, _, _ in PassthroughSubject<Void, Never>().eraseToEffect() }
        var store: Store? = Store(initialState: 0, reducer: reducer, environment: ())
        let tasks = (0..<2).map { _ in store?.send(()) }
        #expect(tasks.map { $0?.isOver } == [false, false])
        if isReleased { store = nil } else { store?.endEffects() }
        #expect(tasks.map { $0?.isOver } == [true, true])
        #expect(store?.effectCancellables.isEmpty != false)
    }

    @Test func `an effect that is cancelled by its group and its store is released once`() {
        var task: StoreTask?
        let reducer = Reducer<Int, Void, Void> { _, _, _ in
            .run { _ in AnyCancellable { task?.cancel() } }
        }
        let store = Store(initialState: 0, reducer: reducer, environment: ())
        task = store.send(())
        store.endEffects()
        #expect(task?.isOver == true)
        #expect(task?.isCancelled == true)
    }

    @Test func `stateless stores have no state, and actionless stores have no actions`() {
        let store = Store(initialState: 0, reducer: counting, environment: ())
        let stateless = ViewStore(store.stateless)
        let actionless = ViewStore(store.actionless)
        stateless.send(())
        #expect(actionless.state == 1)
    }
}

private struct Parent {
    var child: Int?
}

private let counting = Reducer<Int, Void, Void> { state, _, _ in
    state += 1
    return .none
}

private let adding = Reducer<Int, Int, Void> { state, action, _ in
    state += action
    return .none
}

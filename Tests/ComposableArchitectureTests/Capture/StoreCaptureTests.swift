import CombineCore
import CombineSchedulers
import ComposableArchitecture
import FoundationEssentials
import StateCapture
import Testing

/// The capture and restore of root stores, without a host.
@Suite struct StoreCaptureTests {
    enum Mode: Equatable {
        case idle
        case busy(Int)
    }

    struct Feature: ReducerProtocol {
        struct State: Equatable {
            var mode = Mode.idle
            var id: UUID?
        }

        enum Action {
            case begin
            case end
            case draw
        }

        struct WorkID: Hashable {}

        @Dependency(\.uuid) var uuid

        func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
            switch action {
            case .begin:
                state.mode = .busy(1)
                return PassthroughSubject<Int, Never>().scan(0, +).map { _ in Action.end }.eraseToEffect()
                    .cancellable(id: WorkID())
            case .end:
                state.mode = .idle
                return .cancel(id: WorkID())
            case .draw:
                state.id = uuid()
                return .none
            }
        }
    }

    private func registry(restoring other: [String: ArraySlice<UInt8>]? = nil) -> StateRegistry {
        guard let other else {
            let registry = StateRegistry(clockOffset: 0)
            registry.seed = 3
            return registry
        }
        return StateRegistry(restoring: other, clockOffset: 0)
    }

    private func store(
        _ registry: StateRegistry, _ initial: Feature.State = .init(), wiring: (StoreOf<Feature>) -> Void = { _ in }
    ) -> StoreOf<Feature> {
        registry.wire {
            let store = Store(initialState: initial, reducer: Feature())
            wiring(store)
            return store
        }
    }

    private func changes(_ registry: StateRegistry) throws -> [String: ArraySlice<UInt8>] {
        var bytes: [UInt8] = []
        _ = try registry.appendChanges(to: &bytes)
        return Dictionary(uniqueKeysWithValues: StateChanges(bytes[...]).map { ($0.key, $0.json) })
    }

    @Test func `a restored store has the stored state in place of the initial one`() throws {
        let first = registry()
        let original = store(first)
        ViewStore(original).send(.begin)
        let stored = try changes(first)
        #expect(stored["state.0.mode"].map { String(decoding: $0, as: UTF8.self) } == #"{"busy":{"_0":1}}"#)

        let second = registry(restoring: stored)
        let restored = store(second)
        #expect(ViewStore(restored).state == Feature.State(mode: .busy(1)))
        #expect(second.mismatches == [])
        #expect(second.resume() == [])
        #expect(second.interruptedWork == [InterruptedWork(name: "WorkID()")])
    }

    @Test func `an effect that ended is not interrupted`() throws {
        let first = registry()
        let original = ViewStore(store(first))
        original.send(.begin)
        var stored = try changes(first)
        original.send(.end)
        stored.merge(try changes(first)) { $1 }
        let second = registry(restoring: stored)
        _ = store(second)
        #expect(second.interruptedWork == [])
    }

    @Test func `an action that the factory sends is ignored by a restore`() throws {
        let first = registry()
        let original = ViewStore(store(first) { ViewStore($0).send(.begin) })
        original.send(.end)
        let stored = try changes(first)
        let second = registry(restoring: stored)
        let restored = ViewStore(store(second) { ViewStore($0).send(.begin) })
        #expect(restored.mode == .idle)
        // The operators of the effect are no parts of the machine.
        #expect(second.resume() == [])
    }

    @Test func `UUIDs continue their series`() throws {
        let first = registry()
        let original = ViewStore(store(first))
        original.send(.draw)
        let stored = try changes(first)
        let second = registry(restoring: stored)
        let restored = ViewStore(store(second))
        _ = second.resume()
        let before = original.id
        original.send(.draw)
        restored.send(.draw)
        #expect(restored.id == original.id)
        #expect(restored.id != before)
        #expect(original.id?.uuidString.dropFirst(14).first == "4")
    }

    @Test func `the state that a store publishes is captured by its members only`() throws {
        let registry = registry()
        let store = store(registry)
        let keys = try changes(registry).keys
        #expect(keys.contains(where: { $0.hasPrefix("state.0.") }))
        #expect(!keys.contains(where: { $0.hasPrefix("publishedProperty") }))
        withExtendedLifetime(store) {}
    }

    @Test func `an overridden generator is not replaced`() throws {
        let registry = registry()
        let fixed = UUID(uuid: (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))
        let store = registry.wire {
            Store(initialState: .init(), reducer: Feature()) { $0.uuid = .constant(fixed) }
        }
        let view = ViewStore(store)
        view.send(.draw)
        #expect(view.id == fixed)
    }

    @Test func `a store that nobody captures draws from the system`() {
        func store() -> ViewStore<Feature.State, Feature.Action> {
            ViewStore(Store(initialState: .init(), reducer: Feature()) { $0.context = .live })
        }
        let (first, second) = (store(), store())
        first.send(.draw)
        second.send(.draw)
        #expect(first.id != second.id)
    }

    @Test func `a state that is an enumeration is captured as a whole`() throws {
        let reducer = Reducer<Mode, Int, Void> { state, action, _ in
            state = .busy(action)
            return .none
        }
        func make(_ registry: StateRegistry) -> ViewStore<Mode, Int> {
            ViewStore(registry.wire { Store(initialState: .idle, reducer: reducer, environment: ()) })
        }
        let first = registry()
        make(first).send(4)
        let restored = make(registry(restoring: try changes(first)))
        #expect(restored.state == .busy(4))
    }

    @Test func `ids of alerts continue the series in the wiring and in reducers, and nowhere else`() throws {
        func id() -> UUID { AlertState<Int>(title: "").id }
        let (first, second) = (registry(), registry())
        #expect(first.wire { [id(), id()] } == second.wire { [id(), id()] })
        #expect(id() != id())
    }
}

import CombineCore
import Locking
import Observation

/// A value that several features share. All properties that refer to it see the same value.
final class SharedRoot: Sendable {
    /// The number of the root in its storage, by which a restored session finds it.
    let number: Int
    /// What identifies the value outside of the properties; nil if only they refer to it.
    let name: String?
    /// The type of the value.
    let type: any Any.Type

    private struct State {
        var value: UnsafeTransfer<Any>
        var lastObserver = 0
        var observers: [Int: UnsafeTransfer<(Any) -> Void>] = [:]
    }

    private let state: Lock<State>
    private let registrar = ObservationRegistrar()
    private weak let storage: InMemoryStorage?

    init<Value>(_ value: Value, number: Int, name: String?, storage: InMemoryStorage?) {
        self.number = number
        self.name = name
        self.type = Value.self
        self.storage = storage
        state = Lock(State(value: UnsafeTransfer(value)))
    }

    /// The value, or the one that a test expects while its expectation is evaluated.
    var value: Any {
        if let expectation = SharedExpectation.current { return expectation.value(of: self) }
        registrar.access(self, keyPath: \.value)
        return actual
    }

    /// The value, without regard to expectations and observers.
    var actual: Any { state.withLock { $0.value }.value }

    /// Modifies the value with exclusive access.
    func modify<Result>(_ body: (inout Any) throws -> Result) rethrows -> Result {
        if let expectation = SharedExpectation.current { return try expectation.modify(self, body) }
        let scope = EffectScope.current
        return try registrar.withMutation(of: self, keyPath: \.value) {
            let (result, former, value) = try state.withLock { state in
                let former = state.value
                var value = former.value
                let result = try body(&value)
                state.value = UnsafeTransfer(value)
                return (UnsafeTransfer(result), former, state.value)
            }
            scope?.sharedChanges?.note(self, former.value)
            storage?.save(value.value, of: self)
            notify(value.value)
            storage?.notify()
            return result.value
        }
    }

    /// Puts a restored value in place, without notifying anyone.
    func restore(_ value: Any) {
        let value = UnsafeTransfer(value)
        state.withLock { $0.value = value }
    }

    /// Calls a closure with each new value. Returns a token that ends this.
    func addObserver(_ observer: @escaping (Any) -> Void) -> AnyCancellable {
        let observer = UnsafeTransfer(observer)
        let number = state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = observer
            return state.lastObserver
        }
        return AnyCancellable { [weak self] in
            let removed = self?.state.withLock { $0.observers.removeValue(forKey: number) }
            withExtendedLifetime(removed?.value) {}
        }
    }

    private func notify(_ value: Any) {
        let observers = state.withLock { state in
            state.observers.sorted { $0.key < $1.key }.map(\.value)
        }
        for observer in observers { observer.value(value) }
    }
}

extension SharedRoot: Observable {}

import CombineCore
import Locking
import Observation

/// A value that several features share. All properties that refer to it see the same value.
final class SharedRoot: Sendable {
    /// The number of the root in its storage, by which a restored session finds it.
    let number: Int
    /// The name of the value in its storage; nil if only properties refer to it.
    let name: String?
    let type: any Any.Type

    private struct State {
        var value: UnsafeTransfer<Any>
        var lastObserver = 0
        var observers: [Int: UnsafeTransfer<(Any) -> Void>] = [:]
        var changeCount = 0
        var isSaving = false
        /// Whether the value has changed since a thread began to save it.
        var isSaveDue = false
    }

    private let state: Lock<State>
    // Held while a closure changes the value. Recursive, because the closure may read the value, or change it by another property.
    private let gate = Gate()
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

    /// Modifies the value with exclusive access. Until the closure returns, it and other threads read the former value.
    func modify<Result>(_ body: (inout Any) throws -> Result) rethrows -> Result {
        if let expectation = SharedExpectation.current { return try expectation.modify(self, body) }
        let scope = EffectScope.current
        return try registrar.withMutation(of: self, keyPath: \.value) {
            let (result, former, value, isAlone) = try exclusively {
                let (former, count) = state.withLock { ($0.value, $0.changeCount) }
                var value = former.value
                let result = try body(&value)
                return (result, former.value, value, replace(value) == count)
            }
            if !isAlone { reportNested() }
            scope?.sharedChanges?.note(self, former)
            scope?.noteChange(of: self, from: former)
            didChange(to: value)
            return result
        }
    }

    /// Puts a former value back, because the action that has changed it is refused.
    func putBack(_ former: Any) {
        registrar.withMutation(of: self, keyPath: \.value) {
            _ = exclusively { replace(former) }
            didChange(to: former)
        }
    }

    private func didChange(to value: Any) {
        save()
        notify(value)
        storage?.notify()
    }

    private func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result {
        let isOutermost = gate.enter()
        defer { if isOutermost { _ = gate.leave() } }
        return try body()
    }

    /// Puts a changed value in place. Returns the number of changes before.
    private func replace(_ value: Any) -> Int {
        let value = UnsafeTransfer(value)
        let (former, count) = state.withLock { state in
            defer {
                state.value = value
                state.changeCount += 1
            }
            return (state.value, state.changeCount)
        }
        // Released outside of the lock, because values are code of the user.
        withExtendedLifetime(former.value) {}
        return count
    }

    private func reportNested() {
        Issues.report(
            "expected the closure of withLock to change its parameter only: it has changed the same shared value (\(type)) by another "
                + "withLock, and that change is lost",
            summary: "a shared value was changed inside of its own withLock", severity: .warning)
    }

    /// Writes the value where its key says. If another call is writing, leaves that to it, so that an older value is never written last.
    private func save() {
        guard name != nil, let storage else { return }
        let isMine = state.withLock { state in
            state.isSaveDue = true
            defer { state.isSaving = true }
            return !state.isSaving
        }
        guard isMine else { return }
        while takeSave() { storage.save(actual, of: self) }
    }

    /// Returns whether the value has to be saved. If not, the next change is saved by the thread that makes it.
    private func takeSave() -> Bool {
        state.withLock { state in
            state.isSaving = state.isSaveDue
            state.isSaveDue = false
            return state.isSaving
        }
    }

    /// Puts a restored value in place, without notifying anyone.
    func restore(_ value: Any) {
        let value = UnsafeTransfer(value)
        let former = exclusively {
            state.withLock { state in
                defer { state.value = value }
                return state.value
            }
        }
        withExtendedLifetime(former.value) {}
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

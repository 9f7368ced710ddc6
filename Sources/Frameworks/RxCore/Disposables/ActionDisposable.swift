import Locking

/// A disposable that runs an action once, when it is disposed of, and then releases it.
final class ActionDisposable: Cancelable {
    private let lock = WordLock()
    /// Guarded by `lock`; nil once disposed of.
    @exclusivity(unchecked) private var action: (() -> Void)?

    init(_ action: @escaping () -> Void) {
        self.action = action
    }

    var isDisposed: Bool { lock.withLock { action == nil } }

    func dispose() {
        let action = lock.withLock {
            defer { self.action = nil }
            return self.action
        }
        // After unlocking: the action may use this object, and it is released even if it captures this object.
        action?()
    }
}

import Locking

/// A disposable that runs an action once, when it is disposed of, and then releases it.
public final class AnyDisposable: Disposable {
    private let action: Lock<(@Sendable () -> Void)?>

    /// Creates a disposable that runs `action`.
    public init(_ action: @escaping @Sendable () -> Void) {
        self.action = Lock(action)
    }

    /// Whether the action has started.
    public var isDisposed: Bool { action.withLock { $0 == nil } }

    /// Runs the action, unless it has already run.
    public func dispose() {
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        // After unlocking: the action may use this object, and it is released even if it captures this object.
        action?()
    }
}

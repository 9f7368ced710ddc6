import Locking

/// Runs an action when it is disposed of, once, and lets go of it.
public final class AnyDisposable: Disposable {
    private let action: Lock<(@Sendable () -> Void)?>

    /// A disposable that runs `action`.
    public init(_ action: @escaping @Sendable () -> Void) {
        self.action = Lock(action)
    }

    /// Whether the action has been run, or is being run.
    public var isDisposed: Bool { action.withLock { $0 == nil } }

    /// Runs the action, unless that has been done.
    public func dispose() {
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}

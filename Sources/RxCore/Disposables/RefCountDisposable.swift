import Locking

/// Disposes of another disposable once it has been disposed of itself and all that ``retain()`` returned has been, too.
/// May be used from any thread.
public final class RefCountDisposable: Cancelable {
    private let lock = WordLock()
    /// Guarded by `lock`; nil once disposed of.
    @exclusivity(unchecked) private var disposable: (any Disposable)?
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var count = 0
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var isPrimaryDisposed = false

    /// Counts the users of `disposable`.
    public init(disposable: any Disposable) {
        self.disposable = disposable
    }

    /// Whether the counted disposable has been disposed of.
    public var isDisposed: Bool { lock.withLock { disposable == nil } }

    /// Adds a user.
    ///
    /// - Returns: What the user disposes of when it is done; it does nothing if the end has passed.
    public func retain() -> any Disposable {
        let isOpen = lock.withLock {
            guard disposable != nil else { return false }
            count += 1
            return true
        }
        return isOpen ? Disposables.create { [self] in release() } : Disposables.create()
    }

    /// Disposes of the counted disposable as soon as it has no users.
    public func dispose() {
        take {
            isPrimaryDisposed = true
        }?.dispose()
    }

    private func release() {
        take { count -= 1 }?.dispose()
    }

    private func take(after change: () -> Void) -> (any Disposable)? {
        lock.withLock {
            change()
            guard isPrimaryDisposed, count == 0 else { return nil }
            defer { disposable = nil }
            return disposable
        }
    }
}

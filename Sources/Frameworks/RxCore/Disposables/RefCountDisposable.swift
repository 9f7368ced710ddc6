import Locking

/// A reference-counted disposable. It disposes of the underlying disposable once it was disposed of itself and every
/// disposable returned by ``retain()`` was disposed of, too. May be used from any thread.
public final class RefCountDisposable: Cancelable {
    private let lock = WordLock()
    /// Guarded by `lock`; nil once disposed of.
    @exclusivity(unchecked) private var disposable: (any Disposable)?
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var count = 0
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var isPrimaryDisposed = false

    /// Creates a reference count for `disposable`.
    public init(disposable: any Disposable) {
        self.disposable = disposable
    }

    /// Whether the underlying disposable was disposed of.
    public var isDisposed: Bool { lock.withLock { disposable == nil } }

    /// Adds a reference to the underlying disposable.
    ///
    /// - Returns: A disposable that removes the reference. It does nothing if the underlying disposable was already
    ///   disposed of.
    public func retain() -> any Disposable {
        let isOpen = lock.withLock {
            guard disposable != nil else { return false }
            count += 1
            return true
        }
        return isOpen ? Disposables.create { [self] in release() } : Disposables.create()
    }

    /// Disposes of the underlying disposable as soon as there are no references.
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

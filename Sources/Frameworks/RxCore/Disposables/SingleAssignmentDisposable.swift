import Locking

/// A disposable whose underlying disposable is set later. It can be disposed of before that. May be used from any
/// thread.
public final class SingleAssignmentDisposable: Cancelable {
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var held: (any Disposable)?
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var isAssigned = false
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var isEnded = false

    /// Creates an empty disposable.
    public init() {}

    /// Whether `dispose()` was called.
    public var isDisposed: Bool { lock.withLock { isEnded } }

    /// Sets the underlying disposable. If this disposable was already disposed of, the underlying one is disposed of
    /// immediately.
    ///
    /// - Precondition: The method was not called before.
    public func setDisposable(_ disposable: any Disposable) {
        let isLate = lock.withLock {
            precondition(!isAssigned, "setDisposable(_:) was called twice on a SingleAssignmentDisposable")
            isAssigned = true
            if !isEnded { held = disposable }
            return isEnded
        }
        // After unlocking, because a disposal runs foreign code.
        if isLate { disposable.dispose() }
    }

    /// Disposes of the underlying disposable, or of the one that is set later.
    public func dispose() {
        let held: (any Disposable)? = lock.withLock {
            defer { self.held = nil }
            isEnded = true
            return self.held
        }
        held?.dispose()
    }
}

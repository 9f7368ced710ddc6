import Locking

/// Holds a disposable that becomes known only later, and can be disposed of before that. May be used from any thread.
public final class SingleAssignmentDisposable: Cancelable {
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var held: (any Disposable)?
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var isAssigned = false
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var isEnded = false

    /// Holds nothing yet.
    public init() {}

    /// Whether it has been disposed of.
    public var isDisposed: Bool { lock.withLock { isEnded } }

    /// Gives it the disposable, which is disposed of at once if this one has been. Giving it a second one is a mistake in
    /// the program and stops the process.
    public func setDisposable(_ disposable: any Disposable) {
        let isLate = lock.withLock {
            precondition(!isAssigned, "a SingleAssignmentDisposable was given a second disposable")
            isAssigned = true
            if !isEnded { held = disposable }
            return isEnded
        }
        if isLate { disposable.dispose() }
    }

    /// Disposes of what it holds, or of what it will be given.
    public func dispose() {
        let held: (any Disposable)? = lock.withLock {
            defer { self.held = nil }
            isEnded = true
            return self.held
        }
        held?.dispose()
    }
}

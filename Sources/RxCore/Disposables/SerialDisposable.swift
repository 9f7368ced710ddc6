import Locking

/// Holds one disposable at a time: the one before is disposed of when another takes its place. May be used from any
/// thread.
public final class SerialDisposable: Cancelable {
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var current: (any Disposable)?
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var isEnded = false

    /// Holds nothing yet.
    public init() {}

    /// Whether it has been disposed of, so that whatever it is given is disposed of at once.
    public var isDisposed: Bool { lock.withLock { isEnded } }

    /// What it holds; reading it after the end gives a disposable that does nothing.
    public var disposable: any Disposable {
        get { lock.withLock { current } ?? Disposables.create() }
        set {
            let superseded: (any Disposable)? = lock.withLock {
                if isEnded { return newValue }
                defer { current = newValue }
                return current
            }
            superseded?.dispose()
        }
    }

    /// Disposes of what it holds, and of whatever it is given from now on.
    public func dispose() {
        let last: (any Disposable)? = lock.withLock {
            defer { current = nil }
            isEnded = true
            return current
        }
        last?.dispose()
    }
}

import Locking

/// A disposable that holds one replaceable disposable. Assigning another one disposes of the previous one. May be used
/// from any thread.
public final class SerialDisposable: Cancelable {
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var current: (any Disposable)?
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var isEnded = false

    /// Creates an empty disposable.
    public init() {}

    /// Whether `dispose()` was called, so that every new disposable is disposed of immediately.
    public var isDisposed: Bool { lock.withLock { isEnded } }

    /// The current disposable. After ``dispose()``, a disposable that does nothing.
    public var disposable: any Disposable {
        get { lock.withLock { current } ?? Disposables.create() }
        set {
            let superseded: (any Disposable)? = lock.withLock {
                // The new disposable is then the one to dispose of, and is not stored.
                if isEnded { return newValue }
                defer { current = newValue }
                return current
            }
            superseded?.dispose()
        }
    }

    /// Disposes of the current disposable, and from then on of every new one immediately.
    public func dispose() {
        let last: (any Disposable)? = lock.withLock {
            defer { current = nil }
            isEnded = true
            return current
        }
        last?.dispose()
    }
}

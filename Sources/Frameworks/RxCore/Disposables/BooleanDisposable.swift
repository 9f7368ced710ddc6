import Locking
import Synchronization

/// A disposable that only records whether it was disposed of. May be used from any thread.
public final class BooleanDisposable: Cancelable {
    private let flag: AtomicProperty<Bool>

    /// Creates a disposable that was not disposed of.
    public init() {
        flag = AtomicProperty(false)
    }

    /// Creates a disposable in the given state.
    public init(isDisposed: Bool) {
        flag = AtomicProperty(isDisposed)
    }

    /// Whether `dispose()` was called.
    public var isDisposed: Bool { flag.atomic.load(ordering: .acquiring) }

    /// Sets ``isDisposed``.
    public func dispose() {
        flag.atomic.store(true, ordering: .releasing)
    }
}

import Locking
import Synchronization

/// A disposable that only remembers that it was disposed of. May be used from any thread.
public final class BooleanDisposable: Cancelable {
    private let flag: AtomicProperty<Bool>

    /// One that has not been disposed of.
    public init() {
        flag = AtomicProperty(false)
    }

    /// One that has been disposed of, or not.
    public init(isDisposed: Bool) {
        flag = AtomicProperty(isDisposed)
    }

    /// Whether it has been disposed of.
    public var isDisposed: Bool { flag.atomic.load(ordering: .acquiring) }

    /// Remembers it.
    public func dispose() {
        flag.atomic.store(true, ordering: .releasing)
    }
}

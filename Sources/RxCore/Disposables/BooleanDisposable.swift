import Synchronization

/// A disposable that only records whether it was disposed of. May be used from any thread.
public final class BooleanDisposable: Cancelable {
    private let flag: Atomic<Bool>

    /// Creates a disposable that was not disposed of.
    public init() {
        flag = Atomic(false)
    }

    /// Creates a disposable in the given state.
    public init(isDisposed: Bool) {
        flag = Atomic(isDisposed)
    }

    deinit {
        stayOutOfClients()
    }

    /// Whether `dispose()` was called.
    public var isDisposed: Bool { flag.load(ordering: .acquiring) }

    /// Sets ``isDisposed``.
    public func dispose() {
        flag.store(true, ordering: .releasing)
    }
}

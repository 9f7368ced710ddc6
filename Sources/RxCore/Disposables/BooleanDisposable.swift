import Synchronization

/// A disposable that only remembers that it was disposed of. May be used from any thread.
public final class BooleanDisposable: Cancelable {
    private let flag: Atomic<Bool>

    /// One that has not been disposed of.
    public init() {
        flag = Atomic(false)
    }

    /// One that has been disposed of, or not.
    public init(isDisposed: Bool) {
        flag = Atomic(isDisposed)
    }

    deinit {
        stayOutOfClients()
    }

    /// Whether it has been disposed of.
    public var isDisposed: Bool { flag.load(ordering: .acquiring) }

    /// Remembers it.
    public func dispose() {
        flag.store(true, ordering: .releasing)
    }
}

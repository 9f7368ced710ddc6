import Locking

/// Holds any number of disposables and disposes of all of them at once. May be used from any thread.
///
/// What is added after the end is disposed of at once. Going away does not dispose of anything; ``DisposeBag`` does.
public final class CompositeDisposable: Cancelable {
    /// Names one of the disposables, so that it can be removed.
    public struct DisposeKey: Hashable, Sendable {
        fileprivate let number: UInt
    }

    private struct Members {
        var lastNumber: UInt = 0
        var all: [UInt: any Disposable] = [:]
    }

    private let lock = WordLock()
    /// Guarded by `lock`; nil once disposed of.
    @exclusivity(unchecked) private var members: Members? = Members()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var hasFinished = false

    /// Holds nothing yet.
    public init() {}

    /// Holds both.
    public convenience init(_ disposable1: any Disposable, _ disposable2: any Disposable) {
        self.init(disposables: [disposable1, disposable2])
    }

    /// Holds all three.
    public convenience init(
        _ disposable1: any Disposable, _ disposable2: any Disposable, _ disposable3: any Disposable
    ) {
        self.init(disposables: [disposable1, disposable2, disposable3])
    }

    /// Holds all four and more.
    public convenience init(
        _ disposable1: any Disposable, _ disposable2: any Disposable, _ disposable3: any Disposable,
        _ disposable4: any Disposable, _ disposables: any Disposable...
    ) {
        self.init(disposables: [disposable1, disposable2, disposable3, disposable4] + disposables)
    }

    /// Holds those of the array.
    public init(disposables: [any Disposable]) {
        for disposable in disposables { _ = insert(disposable) }
    }

    /// Whether it has been disposed of.
    public var isDisposed: Bool { lock.withLock { members == nil } }

    /// How many it holds: none after the end.
    public var count: Int { lock.withLock { members?.all.count ?? 0 } }

    /// Adds a disposable.
    ///
    /// - Returns: What ``remove(for:)`` takes; nil if the disposable was disposed of at once, because this one had been.
    public func insert(_ disposable: any Disposable) -> DisposeKey? {
        let key = lock.withLock { () -> DisposeKey? in
            guard members != nil else { return nil }
            members?.lastNumber += 1
            let number = members?.lastNumber ?? 0
            members?.all[number] = disposable
            return DisposeKey(number: number)
        }
        if key == nil { disposable.dispose() }
        return key
    }

    /// Removes the disposable with that key, if it is still there, and disposes of it.
    public func remove(for disposeKey: DisposeKey) {
        let removed = lock.withLock { members?.all.removeValue(forKey: disposeKey.number) }
        removed?.dispose()
    }

    /// Whether the stream that it serves has ended by itself, not because its subscriber left.
    var isFinished: Bool { lock.withLock { hasFinished } }

    /// Disposes of everything that it holds, since the stream that it serves has ended by itself.
    @usableFromInline
    func finish() {
        lock.withLock { if members != nil { hasFinished = true } }
        dispose()
    }

    /// Disposes of everything that it holds, oldest first.
    public func dispose() {
        let former = lock.withLock {
            defer { members = nil }
            return members
        }
        for (_, disposable) in (former?.all ?? [:]).sorted(by: { $0.key < $1.key }) { disposable.dispose() }
    }
}

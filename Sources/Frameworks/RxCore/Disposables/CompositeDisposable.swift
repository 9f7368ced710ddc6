import Locking

/// A group of disposables that are disposed of together. May be used from any thread.
///
/// A disposable that is added after ``dispose()`` is disposed of immediately. Deallocating the group does not dispose
/// of its members; use ``DisposeBag`` for that.
public final class CompositeDisposable: Cancelable {
    /// A key that identifies a member, for ``CompositeDisposable/remove(for:)``.
    public struct DisposeKey: Hashable, Sendable {
        fileprivate let number: UInt
    }

    private struct Members {
        var lastNumber: UInt = 0
        var all: [UInt: any Disposable] = [:]
        var serializer: Serializer?
    }

    private let lock = WordLock()
    /// Guarded by `lock`; nil once disposed of.
    @exclusivity(unchecked) private var members: Members? = Members()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var hasFinished = false

    /// Creates an empty disposable.
    public init() {}

    /// Creates a group of two disposables.
    public convenience init(_ disposable1: any Disposable, _ disposable2: any Disposable) {
        self.init(disposables: [disposable1, disposable2])
    }

    /// Creates a group of three disposables.
    public convenience init(
        _ disposable1: any Disposable, _ disposable2: any Disposable, _ disposable3: any Disposable
    ) {
        self.init(disposables: [disposable1, disposable2, disposable3])
    }

    /// Creates a group of four or more disposables.
    public convenience init(
        _ disposable1: any Disposable, _ disposable2: any Disposable, _ disposable3: any Disposable,
        _ disposable4: any Disposable, _ disposables: any Disposable...
    ) {
        self.init(disposables: [disposable1, disposable2, disposable3, disposable4] + disposables)
    }

    /// Creates a group of the disposables in the array.
    public init(disposables: [any Disposable]) {
        for disposable in disposables { _ = insert(disposable) }
    }

    /// Whether `dispose()` was called.
    public var isDisposed: Bool { lock.withLock { members == nil } }

    /// The number of members; 0 once disposed of.
    public var count: Int { lock.withLock { members?.all.count ?? 0 } }

    /// Adds a disposable to the group.
    ///
    /// - Returns: A key for ``remove(for:)``, or nil if the group was already disposed of and the new member was
    ///   disposed of immediately.
    public func insert(_ disposable: any Disposable) -> DisposeKey? {
        let key = lock.withLock { () -> DisposeKey? in
            guard members != nil else { return nil }
            members?.lastNumber += 1
            let number = members?.lastNumber ?? 0
            members?.all[number] = disposable
            return DisposeKey(number: number)
        }
        // After unlocking, because a disposal runs foreign code that may use this group.
        if key == nil { disposable.dispose() }
        return key
    }

    /// Removes the member with the given key, if there is one, and disposes of it.
    public func remove(for disposeKey: DisposeKey) {
        let removed = lock.withLock { members?.all.removeValue(forKey: disposeKey.number) }
        removed?.dispose()
    }

    /// Makes the end of a subscription's group end its serializer, before the members are disposed of.
    @usableFromInline
    func attach(_ serializer: Serializer) {
        let isOpen = lock.withLock {
            members?.serializer = serializer
            return members != nil
        }
        if !isOpen { serializer.end() }
    }

    /// Ends the serializer of the subscription, because its terminal event is about to be delivered.
    @usableFromInline
    func endSerializer() {
        lock.withLock { members?.serializer }?.end()
    }

    /// Whether the stream behind the group terminated, as opposed to the subscriber cancelling it.
    var isFinished: Bool { lock.withLock { hasFinished } }

    /// Disposes of all members because the stream behind the group terminated.
    @usableFromInline
    func finish() {
        // Set before the disposal: members such as `UpstreamSubscription` read it while they are disposed of.
        lock.withLock { if members != nil { hasFinished = true } }
        dispose()
    }

    /// Disposes of all members in the order in which they were added.
    public func dispose() {
        let former = lock.withLock {
            defer { members = nil }
            return members
        }
        former?.serializer?.end()
        // A dictionary has no order, but the order of disposal is observable.
        for (_, disposable) in (former?.all ?? [:]).sorted(by: { $0.key < $1.key }) { disposable.dispose() }
    }
}

import Locking

/// A group of disposables that are disposed of together, at the latest when the group is deallocated.
///
/// A disposable that is added after ``dispose()`` is disposed of immediately. The group removes finished members from
/// time to time, and tasks when they end, so that the group of a long-lived owner does not grow without limit. May be used
/// from any thread; no lock is held while members are disposed of.
public final class CompositeDisposable: Disposable {
    private struct Members {
        var lastNumber: UInt = 0
        var all: [UInt: any Disposable] = [:]
        /// The number of members at which finished ones are removed.
        var sweepsAt = 32
    }

    /// Nil once disposed of.
    private let members: Lock<Members?>

    /// Creates an empty group.
    public init() {
        members = Lock(Members())
    }

    /// Creates a group of the disposables in a sequence.
    public convenience init(_ disposables: some Sequence<any Disposable>) {
        self.init()
        for disposable in disposables { add(disposable) }
    }

    deinit {
        dispose()
    }

    /// Whether the group was disposed of.
    public var isDisposed: Bool { members.withLock { $0 == nil } }

    /// Adds a disposable to the group.
    ///
    /// - Returns: A disposable that removes the new member without disposing of it, or nil if the group was already
    ///   disposed of and the new member was disposed of immediately.
    @discardableResult
    public func add(_ disposable: any Disposable) -> (any Disposable)? {
        let (number, ended) = members.withLock { insert(disposable, into: &$0) }
        // Released after unlocking: the deinitializer of a captured object may use this group.
        withExtendedLifetime(ended) {}
        guard let number else {
            disposable.dispose()
            return nil
        }
        if let waitable = disposable as? any WaitableDisposable {
            Task.detached(priority: .utility) { [weak self] in
                await waitable.waitForEnd()
                self?.remove(number)
            }
        }
        // Weak, so that a removal token does not keep the group and its members alive.
        return AnyDisposable { [weak self] in self?.remove(number) }
    }

    /// Adds an action that runs when the group is disposed of.
    ///
    /// - Returns: A disposable that removes the action without running it, or nil if the group was already disposed of
    ///   and the action ran immediately.
    @discardableResult
    public func add(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        add(AnyDisposable(action))
    }

    /// Disposes of all members in the order in which they were added, and from then on of every new member immediately.
    public func dispose() {
        let former = members.withLock { members in
            defer { members = nil }
            return members
        }
        for (_, disposable) in (former?.all ?? [:]).sorted(by: { $0.key < $1.key }) { disposable.dispose() }
    }

    /// Adds a disposable; see ``add(_:)-(Disposable)``.
    @discardableResult
    public static func += (lhs: CompositeDisposable, rhs: any Disposable) -> (any Disposable)? {
        lhs.add(rhs)
    }

    /// Adds an action; see ``add(_:)-(()->Void)``.
    @discardableResult
    public static func += (lhs: CompositeDisposable, rhs: @escaping @Sendable () -> Void) -> (any Disposable)? {
        lhs.add(rhs)
    }

    /// The number of members, including finished ones.
    var count: Int { members.withLock { $0?.all.count ?? 0 } }

    private func remove(_ number: UInt) {
        let removed = members.withLock { $0?.all.removeValue(forKey: number) }
        withExtendedLifetime(removed) {}
    }

    /// Adds a member and returns its number, and the finished members that were removed. The caller must release these
    /// after unlocking.
    private func insert(
        _ disposable: any Disposable, into members: inout Members?
    ) -> (number: UInt?, ended: [any Disposable]) {
        guard var kept = members else { return (nil, []) }
        // Cleared while `kept` is changed, so that the dictionary is not copied.
        members = nil
        kept.lastNumber += 1
        kept.all[kept.lastNumber] = disposable
        var ended: [any Disposable] = []
        if kept.all.count >= kept.sweepsAt {
            ended = kept.all.values.filter(\.isDisposed)
            kept.all = kept.all.filter { !$0.value.isDisposed }
            kept.sweepsAt = max(32, kept.all.count * 2)
        }
        members = kept
        return (kept.lastNumber, ended)
    }
}

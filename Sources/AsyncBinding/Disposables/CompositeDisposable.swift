import Locking

/// Holds any number of disposables, disposes of all of them at once, and at the latest when it goes away.
///
/// What is added after the end is disposed of at once. Members that have ended by themselves are dropped now and then, so
/// that the bag of a long-lived owner does not grow with what is over. May be used from any thread; members are disposed of
/// while no lock is held.
public final class CompositeDisposable: Disposable {
    private struct Members {
        var lastNumber: UInt = 0
        var all: [UInt: any Disposable] = [:]
        /// At how many members those that have ended are looked for.
        var sweepsAt = 32
    }

    /// Nil once disposed of.
    private let members: Lock<Members?>

    /// Holds nothing yet.
    public init() {
        members = Lock(Members())
    }

    /// Holds the disposables of a sequence.
    public convenience init(_ disposables: some Sequence<any Disposable>) {
        self.init()
        for disposable in disposables { add(disposable) }
    }

    deinit {
        dispose()
    }

    /// Whether it has been disposed of.
    public var isDisposed: Bool { members.withLock { $0 == nil } }

    /// Adds a disposable; disposes of it at once if this one has been disposed of.
    ///
    /// - Returns: What takes the disposable out again, without disposing of it; nil if it was disposed of at once.
    @discardableResult
    public func add(_ disposable: any Disposable) -> (any Disposable)? {
        let (number, ended) = members.withLock { insert(disposable, into: &$0) }
        withExtendedLifetime(ended) {}
        guard let number else {
            disposable.dispose()
            return nil
        }
        return AnyDisposable { [weak self] in self?.remove(number) }
    }

    /// Adds an action, to be run when this is disposed of; runs it at once if that has been done.
    ///
    /// - Returns: What takes the action out again, without running it; nil if it was run at once.
    @discardableResult
    public func add(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        add(AnyDisposable(action))
    }

    /// Disposes of everything that it holds, oldest first, and of whatever is added from now on.
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

    /// How many disposables it holds, ended or not.
    var count: Int { members.withLock { $0?.all.count ?? 0 } }

    private func remove(_ number: UInt) {
        let removed = members.withLock { $0?.all.removeValue(forKey: number) }
        withExtendedLifetime(removed) {}
    }

    /// Gives the new member's number, and what has been dropped, to be let go when the lock is not held.
    private func insert(
        _ disposable: any Disposable, into members: inout Members?
    ) -> (number: UInt?, ended: [any Disposable]) {
        guard var kept = members else { return (nil, []) }
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

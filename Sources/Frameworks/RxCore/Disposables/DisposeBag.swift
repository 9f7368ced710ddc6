import Locking

/// A bag that disposes of its members when it is deallocated, in the order in which they were added. May be used from
/// any thread.
public final class DisposeBag {
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var disposables: [any Disposable] = []
    /// Guarded by `lock`: the number of members at which finished ones are removed.
    @exclusivity(unchecked) private var sweepsAt = 32
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var isOver = false

    /// Creates an empty bag.
    public init() {}

    /// Creates a bag that contains the given disposables.
    public convenience init(disposing disposables: any Disposable...) {
        self.init(disposing: disposables)
    }

    /// Creates a bag that contains the given disposables.
    public convenience init(disposing disposables: [any Disposable]) {
        self.init()
        insert(disposables)
    }

    /// Creates a bag that contains the disposables listed in the closure.
    public convenience init(@DisposableBuilder builder: () -> [any Disposable]) {
        self.init(disposing: builder())
    }

    deinit {
        // No lock: nothing else has a reference to the bag any more.
        for disposable in disposables { disposable.dispose() }
    }

    /// Adds a disposable to the bag.
    ///
    /// The bag removes finished subscriptions from time to time, so that the bag of a long-lived owner does not grow
    /// without limit.
    public func insert(_ disposable: any Disposable) {
        let (isLate, dropped) = lock.withLock { () -> (Bool, [any Disposable]) in
            if isOver { return (true, []) }
            disposables.append(disposable)
            return (false, disposables.count >= sweepsAt ? sweep() : [])
        }
        // Released after unlocking: the deinitializer of a captured object may insert into this bag.
        withExtendedLifetime(dropped) {}
        if isLate { disposable.dispose() }
    }

    /// Adds several disposables to the bag.
    public func insert(_ disposables: any Disposable...) {
        insert(disposables)
    }

    /// Adds several disposables to the bag.
    public func insert(_ disposables: [any Disposable]) {
        for disposable in disposables { insert(disposable) }
    }

    /// Adds the disposables listed in the closure to the bag.
    public func insert(@DisposableBuilder builder: () -> [any Disposable]) {
        insert(builder())
    }

    /// Disposes of all members in the order in which they were added, and from then on of every new member immediately.
    ///
    /// For an owner that ends while other code still holds its bag.
    package func disposeOfAll() {
        let former = lock.withLock {
            defer { disposables = [] }
            isOver = true
            return disposables
        }
        for disposable in former { disposable.dispose() }
    }

    /// The number of members that have not finished.
    var count: Int {
        lock.withLock { disposables.count { !(($0 as? any Finishable)?.isFinished ?? false) } }
    }

    /// The number of members, including finished ones.
    var held: Int { lock.withLock { disposables.count } }

    private func sweep() -> [any Disposable] {
        // Returned even though most members stay: this array keeps the removed ones alive until the caller has
        // unlocked.
        let former = disposables
        disposables.removeAll { ($0 as? any Finishable)?.isFinished ?? false }
        // Twice the remaining members, so that the cost of sweeping stays constant per insertion.
        sweepsAt = max(32, disposables.count * 2)
        return former
    }
}

/// A disposable whose disposal has no effect once it has finished.
///
/// ``DisposeBag`` reads `isFinished` while it holds its lock, so an implementation must not call out.
@usableFromInline
protocol Finishable: Disposable {
    var isFinished: Bool { get }
}

extension DisposeBag {
    /// The result builder under the nested name that it has in RxSwift.
    public typealias DisposableBuilder = RxCore.DisposableBuilder
}

/// A result builder that lists disposables in a closure, one per expression.
@resultBuilder
public struct DisposableBuilder {
    /// Collects the disposables of a block.
    public static func buildBlock(_ disposables: any Disposable...) -> [any Disposable] {
        disposables
    }
}

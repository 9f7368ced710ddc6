import Locking

/// Holds disposables until it goes away, and disposes of them then, oldest first. May be used from any thread.
public final class DisposeBag {
    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var disposables: [any Disposable] = []
    /// Guarded by `lock`: at how many members those that have ended are looked for.
    @exclusivity(unchecked) private var sweepsAt = 32
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var isOver = false

    /// An empty bag.
    public init() {}

    /// A bag of these.
    public convenience init(disposing disposables: any Disposable...) {
        self.init(disposing: disposables)
    }

    /// A bag of these.
    public convenience init(disposing disposables: [any Disposable]) {
        self.init()
        insert(disposables)
    }

    /// A bag of what the closure lists.
    public convenience init(@DisposableBuilder builder: () -> [any Disposable]) {
        self.init(disposing: builder())
    }

    deinit {
        for disposable in disposables { disposable.dispose() }
    }

    /// Leaves a disposable to the bag.
    ///
    /// Subscriptions that have ended by themselves are dropped now and then, so that the bag of a long-lived owner does
    /// not grow with what is over.
    public func insert(_ disposable: any Disposable) {
        let (isLate, dropped) = lock.withLock { () -> (Bool, [any Disposable]) in
            if isOver { return (true, []) }
            disposables.append(disposable)
            return (false, disposables.count >= sweepsAt ? sweep() : [])
        }
        withExtendedLifetime(dropped) {}
        if isLate { disposable.dispose() }
    }

    /// Leaves several disposables to the bag.
    public func insert(_ disposables: any Disposable...) {
        insert(disposables)
    }

    /// Leaves several disposables to the bag.
    public func insert(_ disposables: [any Disposable]) {
        for disposable in disposables { insert(disposable) }
    }

    /// Leaves what the closure lists to the bag.
    public func insert(@DisposableBuilder builder: () -> [any Disposable]) {
        insert(builder())
    }

    /// Disposes of what it holds, oldest first, and of whatever it is given from now on: for an owner that is over although
    /// somebody still holds its bag.
    package func disposeOfAll() {
        let former = lock.withLock {
            defer { disposables = [] }
            isOver = true
            return disposables
        }
        for disposable in former { disposable.dispose() }
    }

    /// How many disposables it holds that have not ended.
    var count: Int {
        lock.withLock { disposables.count { !(($0 as? any Finishable)?.isFinished ?? false) } }
    }

    /// How many disposables it holds, ended or not.
    var held: Int { lock.withLock { disposables.count } }

    private func sweep() -> [any Disposable] {
        let former = disposables
        disposables.removeAll { ($0 as? any Finishable)?.isFinished ?? false }
        sweepsAt = max(32, disposables.count * 2)
        return former
    }
}

/// A disposable that has no effect any more once it has ended by itself. Asking must not call out.
@usableFromInline
protocol Finishable: Disposable {
    var isFinished: Bool { get }
}

extension DisposeBag {
    /// The builder under the name that it has in RxSwift.
    public typealias DisposableBuilder = RxCore.DisposableBuilder
}

/// Lists disposables in a closure: one an expression.
@resultBuilder
public struct DisposableBuilder {
    /// Collects them.
    public static func buildBlock(_ disposables: any Disposable...) -> [any Disposable] {
        disposables
    }
}

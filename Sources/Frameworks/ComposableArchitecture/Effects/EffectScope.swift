import CombineCore
import Locking

/// The state that the effects of one root store share: their cancellation ids and throttles, and the way to deliver
/// actions to the store.
///
/// `cancel(id:)` names only an id, as if there were one table for the process. The table is that of the root store that
/// subscribes to the effect, so that the clients of a server, which have a store each, cannot cancel each other's effects.
/// See `Docs/decisions/0023-effects-belong-to-a-store.md`.
final class EffectScope: Sendable {
    /// The scope of the effects that are created or subscribed to on the calling thread or in the calling task.
    @TaskLocal static var current: EffectScope?

    /// The scope of effects that are subscribed to directly, outside any store and any hosted session.
    static let standalone = EffectScope(delivery: .direct)

    /// The way in which values of a task reach the subscriber of its effect.
    enum Delivery: Sendable {
        /// On the thread on which the task runs.
        case direct
        /// On the main queue.
        case main
        /// As a turn of the hosted session that the store belongs to.
        case session(any MainSubstitute)
        /// Through the queue of a test store.
        case test(TestActionQueue)
    }

    let delivery: Delivery
    /// Where the tasks of effects run; nil for Swift's thread pool.
    var taskExecutor: (any TaskExecutor)? {
        switch delivery {
        case .session(let session): session.taskExecutor
        case .test(let actionQueue): actionQueue.executor
        case .direct, .main: nil
        }
    }
    let table = Lock(EffectTable())
    let dependencies: Lock<DependencyValues?>

    /// The random values and the clock of the session; nil outside of a captured session.
    let series: SessionSeries?

    /// The shared values of the session that the store belongs to; nil outside of a hosted session.
    let sessionStorage: InMemoryStorage?

    /// The changes of shared values by reducers and effects under test; nil outside of tests.
    let sharedChanges: SharedChanges?

    /// Receives issues for which no task-local handler is installed.
    let issueHandler = Lock<(@Sendable (ReportedIssue) -> Void)?>(nil)

    /// The action that is being reduced; nil if it may not be refused.
    private let refusable = Lock<RefusableAction?>(nil)

    private struct RefusableAction {
        /// The thread that reduces it.
        let thread: UInt
        /// The state because of which it is refused; nil if it is not.
        var missing: MissingState?
        /// The shared values that it has changed, with their former values.
        var changes: [(root: SharedRoot, former: UnsafeTransfer<Any>)] = []
    }

    // The series is passed in rather than found here: scopes that outlive a session, such as `standalone`, may be created
    // while one is being wired.
    init(delivery: Delivery, dependencies: DependencyValues? = nil, series: SessionSeries? = nil) {
        self.delivery = delivery
        self.dependencies = Lock(dependencies)
        self.series = series
        switch delivery {
        case .session(let session):
            sessionStorage = SessionScopes.storage(of: session)
            sharedChanges = nil
            SessionScopes.of(session)?.latestStore = self
        case .test:
            sessionStorage = nil
            sharedChanges = SharedChanges()
        case .direct, .main:
            sessionStorage = nil
            sharedChanges = nil
        }
    }

    /// Creates the scope of effects that belong to a hosted session, but to no store.
    init(withoutStoreSharing storage: InMemoryStorage) {
        delivery = .direct
        dependencies = Lock(nil)
        series = nil
        sessionStorage = storage
        sharedChanges = nil
    }

    deinit {
        for token in table.withLock({ $0.takeAll() }) { token.cancel() }
    }

    /// Returns the scope of a new root store. Inside a hosted session, it delivers to the session.
    static func forStore(dependencies: DependencyValues?) -> EffectScope {
        EffectScope(
            delivery: MainContext.current.map { .session($0) } ?? .main, dependencies: dependencies,
            series: SessionSeries.wired)
    }

    /// Returns the scope of an effect that is being subscribed to.
    ///
    /// - Parameter origin: The scope in which the effect was created. It applies to an effect that an operator subscribes
    ///   to later or on another thread, where no scope is current.
    static func resolve(createdIn origin: EffectScope?) -> EffectScope {
        // The session comes before `standalone`, which all threads share: ids must never collide across sessions.
        current ?? origin ?? MainContext.current.flatMap { SessionScopes.of($0)?.scope } ?? standalone
    }

    /// Runs `body` with this scope, and its dependencies, as the current ones.
    func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        // Setting a task-local value costs an allocation, and nested calls are the common case.
        if EffectScope.current === self { return try body() }
        return try EffectScope.$current.withValue(self) {
            guard let dependencies = dependencies.withLock({ $0 }) else { return try body() }
            return try DependencyValues.$bound.withValue(dependencies, operation: body)
        }
    }

    /// Runs `body`, which reduces an action that may be refused. Returns the missing state because of which it was
    /// refused; the shared values have their former values then.
    func reduceRefusably(_ body: () -> Void) -> MissingState? {
        refusable.withLock { $0 = RefusableAction(thread: ThreadIdentity.current) }
        body()
        let action = refusable.withLock { action in
            defer { action = nil }
            return action
        }
        guard let action, let missing = action.missing else { return nil }
        for change in action.changes.reversed() { change.root.putBack(change.former.value) }
        return missing
    }

    /// Notes that a shared value has changed, in case that the action that is being reduced is refused. Changes of other threads stay.
    func noteChange(of root: SharedRoot, from former: Any) {
        refusable.withLock { action in
            guard action?.thread == ThreadIdentity.current else { return }
            action?.changes.append((root, UnsafeTransfer(former)))
        }
    }

    /// Refuses the action that is being reduced because of missing state. Returns false if it may not be refused.
    func refuse(_ missing: MissingState) -> Bool {
        refusable.withLock { action in
            guard action != nil else { return false }
            // The first one is the reason.
            if action?.missing == nil { action?.missing = missing }
            return true
        }
    }

    /// Returns whether the store may process an action of an effect on the calling thread. True for stores that are not hosted, whose
    /// effects choose their threads.
    ///
    /// - Parameter isSending: Whether the store is processing another action, so that it buffers this one. Evaluated only where the store
    ///   is confined.
    func takesActions(whileSending isSending: @autoclosure () -> Bool) -> Bool {
        guard case .session(let session) = delivery else { return true }
        // In a task of an effect, the dependencies of the effect's feature would apply to the reducer.
        return MainContext.current === session && (EffectScope.current !== self || isSending())
    }

    /// Runs `action` where the store is confined.
    func deliver(_ action: @escaping () -> Void) {
        switch delivery {
        case .direct: action()
        case .main: MainQueue.run(action)
        case .session(let session): session.schedule(action)
        case .test(let actionQueue): actionQueue.enqueue(action)
        }
    }
}

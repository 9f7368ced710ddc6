import CombineCore
import Locking

/// What the effects of one root store share: the tables of cancellation and throttling, and the way back to the store.
///
/// The public functions speak of ids only (`cancel(id:)`), as if there were one table for all. Which table is meant is
/// decided when an effect is subscribed: that of the store that subscribes it. So the clients of a server, each with a
/// store of its own, never reach each other's effects.
final class EffectHome: Sendable {
    /// The home of the effects that are made or subscribed on the calling thread, or in the calling task.
    @TaskLocal static var current: EffectHome?

    /// The home of effects that are subscribed by hand, outside of any store.
    static let outside = EffectHome(delivery: .direct)

    /// How a value that a task sends reaches whoever subscribed to the effect.
    enum Delivery: Sendable {
        /// On the thread that the task happens to run on.
        case direct
        /// On the main queue.
        case main
        /// As a turn of the hosted session that the store belongs to.
        case session(any MainSubstitute)
        /// To whoever tests the store.
        case test(TestInbox)
    }

    let delivery: Delivery
    let tables = Lock(EffectTables())
    /// What reducers and effects depend on.
    let dependencies: Lock<DependencyValues?>

    /// Who hears of what is wrong, if nobody in particular listens.
    let issueHandler = Lock<(@Sendable (ReportedIssue) -> Void)?>(nil)

    /// Whether the action that is being reduced may be refused.
    private let refusal = Lock(Refusal.off)

    private enum Refusal {
        case off
        case possible
        case happened(MissingState)
    }

    init(delivery: Delivery, dependencies: DependencyValues? = nil) {
        self.delivery = delivery
        self.dependencies = Lock(dependencies)
        if case .session(let session) = delivery { SessionHomes.add(self, for: session) }
    }

    deinit {
        if case .session(let session) = delivery { SessionHomes.remove(for: session) }
        for token in tables.withLock({ $0.takeAll() }) { token.cancel() }
    }

    /// The home of a new root store: in a hosted session, that of the session.
    static func forStore(dependencies: DependencyValues?) -> EffectHome {
        EffectHome(delivery: MainContext.current.map { .session($0) } ?? .main, dependencies: dependencies)
    }

    /// The home of an effect that is being subscribed.
    ///
    /// - Parameter birthplace: Where the effect was made, for one that is subscribed late, on some thread, by an operator
    ///   that knows of no homes.
    static func resolve(bornIn birthplace: EffectHome?) -> EffectHome {
        current ?? birthplace ?? MainContext.current.flatMap { SessionHomes.home(of: $0) } ?? outside
    }

    /// Runs `body`; effects that are made or subscribed meanwhile belong here.
    func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        if EffectHome.current === self { return try body() }
        return try EffectHome.$current.withValue(self) {
            guard let dependencies = dependencies.withLock({ $0 }) else { return try body() }
            return try DependencyValues.$bound.withValue(dependencies, operation: body)
        }
    }

    /// Runs `body`, which reduces an action that may be refused. Returns the state that it needed and did not find.
    func reduceRefusably(_ body: () -> Void) -> MissingState? {
        refusal.withLock { $0 = .possible }
        body()
        return refusal.withLock { refusal in
            defer { refusal = .off }
            if case .happened(let missing) = refusal { return missing }
            return nil
        }
    }

    /// Refuses the action that is being reduced, for want of that state; false if it is not one that may be refused.
    func refuse(_ missing: MissingState) -> Bool {
        refusal.withLock { refusal in
            switch refusal {
            case .off: return false
            case .possible: refusal = .happened(missing)
            case .happened: break
            }
            return true
        }
    }

    /// Runs `action` where the store's work is done.
    func deliver(_ action: @escaping () -> Void) {
        switch delivery {
        case .direct: action()
        case .main: MainQueue.run(action)
        case .session(let session): session.schedule(action)
        case .test(let inbox): inbox.put(action)
        }
    }
}

/// The homes of the stores in hosted sessions, for effects that are subscribed in a turn of the session by an operator
/// that knows of no homes.
private enum SessionHomes {
    private struct Entry {
        weak var home: EffectHome?
    }

    private static let entries = Lock<[ObjectIdentifier: Entry]>([:])

    static func add(_ home: EffectHome, for session: any MainSubstitute) {
        entries.withLock { $0[ObjectIdentifier(session)] = Entry(home: home) }
    }

    static func remove(for session: any MainSubstitute) {
        entries.withLock { entries in
            if entries[ObjectIdentifier(session)]?.home == nil { entries[ObjectIdentifier(session)] = nil }
        }
    }

    static func home(of session: any MainSubstitute) -> EffectHome? {
        entries.withLock { $0[ObjectIdentifier(session)]?.home }
    }
}

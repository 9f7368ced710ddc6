import Locking

/// A scheduler that runs actions on the calling thread: immediately, or, from inside such an action, after it has
/// returned.
///
/// Sources that count or iterate use it by default, so that two of them that are subscribed together alternate.
public final class CurrentThreadScheduler: ImmediateSchedulerType, Sendable {
    /// The shared instance.
    public static let instance = CurrentThreadScheduler()

    /// Set while an action is running on the thread.
    private static let running = ThreadLocal<CurrentThreadScheduler>()
    /// The pending actions, if there are any.
    private static let pending = ThreadLocal<Trampoline>()

    private init() {}

    /// Whether an action would run immediately because none is running on this thread.
    public static var isScheduleRequired: Bool { running.value == nil }

    /// Runs `action` immediately, or after the actions that are already running or pending on this thread.
    public func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable)
        -> any Disposable
    {
        if Self.isScheduleRequired {
            var begun: any Disposable = Disposables.create()
            Self.trampoline { begun = action(state) }
            return begun
        }
        let begun = SingleAssignmentDisposable()
        Self.append { if !begun.isDisposed { begun.setDisposable(action(state)) } }
        return begun
    }

    /// Runs `body` immediately. Actions that it schedules run after it, before the outermost call on this thread returns.
    // Allocates nothing unless `body` schedules an action: every subscription passes here, and few do.
    @usableFromInline
    static func trampoline(_ body: () -> Void) {
        guard running.value == nil else { return body() }
        running.value = instance
        body()
        if let trampoline = pending.value {
            trampoline.drain()
            pending.value = nil
            trampoline.itself = nil
        }
        running.value = nil
    }

    private static func append(_ action: @escaping () -> Void) {
        if let trampoline = pending.value { return trampoline.waiting.append(action) }
        let trampoline = Trampoline()
        trampoline.waiting.append(action)
        trampoline.itself = trampoline
        pending.value = trampoline
    }
}

/// The actions that are pending on a thread.
private final class Trampoline {
    var waiting: [() -> Void] = []
    /// Keeps the object alive while it is in the slot of its thread, which does not retain it.
    var itself: Trampoline?

    func drain() {
        var next = 0
        while next < waiting.count {
            let action = waiting[next]
            next += 1
            // In batches: removing each action from the front would cost quadratic time.
            if next == waiting.count || next > 64 {
                waiting.removeFirst(next)
                next = 0
            }
            // After the removal: the action may schedule further ones.
            action()
        }
    }
}

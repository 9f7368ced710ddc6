import Locking

/// A scheduler that runs actions on the calling thread: immediately, or, from inside such an action, after it has
/// returned.
///
/// Sources that count or iterate use it by default, so that two of them that are subscribed together alternate.
public final class CurrentThreadScheduler: ImmediateSchedulerType, Sendable {
    /// The shared instance.
    public static let instance = CurrentThreadScheduler()

    private static let slot = ThreadLocal<Trampoline>()

    private init() {}

    /// Whether an action would run immediately because none is running on this thread.
    public static var isScheduleRequired: Bool { slot.value == nil }

    /// Runs `action` immediately, or after the actions that are already running or pending on this thread.
    public func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable)
        -> any Disposable
    {
        if let trampoline = Self.slot.value {
            let pending = SingleAssignmentDisposable()
            trampoline.waiting.append {
                if !pending.isDisposed { pending.setDisposable(action(state)) }
            }
            return pending
        }
        var begun: any Disposable = Disposables.create()
        Self.trampoline { begun = action(state) }
        return begun
    }

    /// Runs `body` immediately. Actions that it schedules run after it, before this method returns.
    @usableFromInline
    static func trampoline(_ body: () -> Void) {
        guard slot.value == nil else { return body() }
        let trampoline = Trampoline()
        slot.value = trampoline
        defer { slot.value = nil }
        body()
        trampoline.drain()
    }
}

/// The actions that are pending on a thread.
private final class Trampoline {
    var waiting: [() -> Void] = []

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

import Locking

/// Runs actions on the thread that schedules them: at once, or, from inside such an action, when that is done.
///
/// Sources that count or walk through a sequence use it by default, so that two of them which are subscribed together take
/// turns.
public final class CurrentThreadScheduler: ImmediateSchedulerType, Sendable {
    /// The scheduler; there is one.
    public static let instance = CurrentThreadScheduler()

    private static let slot = ThreadLocal<Trampoline>()

    private init() {}

    /// Whether an action would run at once, because none is running on this thread.
    public static var isScheduleRequired: Bool { slot.value == nil }

    /// Runs `action` at once, or when what runs on this thread already is done.
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

    /// Runs `body` at once; what is scheduled meanwhile runs when it is done, before this returns.
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

/// What waits for the present action on a thread.
private final class Trampoline {
    var waiting: [() -> Void] = []

    func drain() {
        var next = 0
        while next < waiting.count {
            let action = waiting[next]
            next += 1
            if next == waiting.count || next > 64 {
                waiting.removeFirst(next)
                next = 0
            }
            action()
        }
    }
}

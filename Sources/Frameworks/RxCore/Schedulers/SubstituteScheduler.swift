import CombineCore
import FoundationEssentials
import StateCapture

/// A replacement for the main queue: it runs actions on the loop of the session in which it was created.
final class SubstituteScheduler: SchedulerType {
    private let box: MainSubstituteBox
    private var substitute: any MainSubstitute { box.substitute }
    /// When an action that is scheduled on the loop runs before the call returns.
    enum Inlining {
        case never
        /// If no other action is running or pending, as with ``MainScheduler``.
        case unlessBusy
        case always
    }

    private let inlining: Inlining
    /// Whether the operator was subscribed while a machine was wired, so that it is captured with its timers.
    private let isCaptured = StateRegistry.isWiring
    private let origin: (date: Date, time: Duration)

    init(_ box: MainSubstituteBox, inlining: Inlining) {
        self.box = box
        self.inlining = inlining
        // The loop's clock has no date, so dates are computed from the time of creation.
        origin = (Date(), box.substitute.now)
    }

    /// The time on the loop's clock in nanoseconds, exact unlike ``now``.
    var reading: Int64 { substitute.now.nanoseconds }

    var now: RxTime {
        let (seconds, attoseconds) = (substitute.now - origin.time).components
        return origin.date.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
    }

    func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable) -> any Disposable {
        // On another thread, or in the turn of another session, the action must not run inline.
        guard MainContext.current === substitute else { return enqueue(state, action) {} }
        switch inlining {
        case .never: return enqueue(state, action) {}
        case .always: return action(state)
        case .unlessBusy:
            let box = box
            // Queued inside another action, too: it must not overtake the rest of the outer one.
            let isFirst = box.inlineActionCount == 0
            box.inlineActionCount += 1
            guard isFirst else { return enqueue(state, action) { box.inlineActionCount -= 1 } }
            defer { box.inlineActionCount -= 1 }
            return action(state)
        }
    }

    private func enqueue<StateType>(
        _ state: StateType, _ action: @escaping (StateType) -> any Disposable, _ finish: @escaping () -> Void
    ) -> any Disposable {
        let pending = SingleAssignmentDisposable()
        substitute.schedule {
            if !pending.isDisposed { pending.setDisposable(action(state)) }
            finish()
        }
        return pending
    }

    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        let begun = SingleAssignmentDisposable()
        let timer = substitute.schedule(after: .nanoseconds(dueTime.nanoseconds), isCaptured: isCaptured) {
            if !begun.isDisposed { begun.setDisposable(action(state)) }
        }
        return Disposables.create(timer.asDisposable(), begun)
    }
}

import CombineCore
import FoundationEssentials

/// Stands in for the main queue: what it is given runs on the loop of the session in which it was made.
final class SubstituteScheduler: SchedulerType {
    private let substitute: any MainSubstitute
    /// Whether actions run at once where that is possible, as on ``MainScheduler``.
    private let isInline: Bool
    private let origin: (date: Date, time: Duration)
    /// How many actions wait. Confined to the session's loop, as everything that stands on the main queue is.
    private var waiting = 0

    init(_ substitute: any MainSubstitute, isInline: Bool) {
        self.substitute = substitute
        self.isInline = isInline
        origin = (Date(), substitute.now)
    }

    var now: RxTime {
        let (seconds, attoseconds) = (substitute.now - origin.time).components
        return origin.date.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
    }

    private var isOnLoop: Bool { MainContext.current === substitute }

    func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable) -> any Disposable {
        let isHere = isOnLoop
        if isInline, isHere, waiting == 0 { return action(state) }
        if isHere { waiting += 1 }
        let pending = SingleAssignmentDisposable()
        substitute.schedule { [self] in
            if isHere { waiting -= 1 }
            if !pending.isDisposed { pending.setDisposable(action(state)) }
        }
        return pending
    }

    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        let begun = SingleAssignmentDisposable()
        let timer = substitute.schedule(after: .nanoseconds(dueTime.nanoseconds)) {
            if !begun.isDisposed { begun.setDisposable(action(state)) }
        }
        return Disposables.create(timer.asDisposable(), begun)
    }
}

import CombineCore
import FoundationEssentials
import Synchronization

/// Stands in for the main queue: what it is given runs on the loop of the session in which it was made.
final class SubstituteScheduler: SchedulerType {
    private let box: MainSubstituteBox
    private var substitute: any MainSubstitute { box.substitute }
    /// Whether actions run immediately where that is possible, as on ``MainScheduler``.
    private let isInline: Bool
    private let origin: (date: Date, time: Duration)

    init(_ box: MainSubstituteBox, isInline: Bool) {
        self.box = box
        self.isInline = isInline
        origin = (Date(), box.substitute.now)
    }

    var now: RxTime {
        let (seconds, attoseconds) = (substitute.now - origin.time).components
        return origin.date.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
    }

    func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable) -> any Disposable {
        guard isInline else { return enqueue(state, action) {} }
        let box = box
        // An action inside another one waits, too: it would overtake what the outer one has yet to do.
        let isFirst = box.inlineActionCount.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue == 0
        let finish = { _ = box.inlineActionCount.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
        guard isFirst, MainContext.current === substitute else { return enqueue(state, action, finish) }
        defer { finish() }
        return action(state)
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
        let timer = substitute.schedule(after: .nanoseconds(dueTime.nanoseconds)) {
            if !begun.isDisposed { begun.setDisposable(action(state)) }
        }
        return Disposables.create(timer.asDisposable(), begun)
    }
}

import Dispatch
import StateCapture

/// A timer that is subscribed while a session's machine is wired. It continues at the same times after a restart.
///
/// A repeating timer that is late, such as after a restart, ticks once and then continues on its grid.
final class CapturedTimer<Tick: RxAbstractInteger> {
    private struct State: Codable {
        var due: StoredTime
        var tick: Int64
    }

    private let observer: AnyObserver<Tick>
    private let group: CompositeDisposable
    private let capture: OperatorCapture
    private let scheduler: any SchedulerType
    private let clock: SchedulerClock
    private let period: RxTimeInterval?
    private let timer = SerialDisposable()
    /// Used inside the serializer of `capture`, like the property below: the reading of the clock at the next tick.
    private var due: Int64 = 0
    private var tick: Tick = 0

    init(
        _ observer: AnyObserver<Tick>, _ group: CompositeDisposable, _ capture: OperatorCapture,
        _ scheduler: any SchedulerType, _ period: RxTimeInterval?
    ) {
        self.observer = observer
        self.group = group
        self.capture = capture
        self.scheduler = scheduler
        // Without a delay, each tick would be a turn that the one before has caused, and the host would end the session.
        self.period = period.map { .nanoseconds(Int(max(1, $0.nanoseconds))) }
        clock = SchedulerClock(scheduler)
        group.add(timer)
    }

    func begin(after dueTime: RxTimeInterval) {
        due = clock.reading(after: dueTime)
        capture.keep("timer", holding: Int64.self) { [self] in
            State(due: clock.stored(due), tick: Int64(truncatingIfNeeded: tick))
        } _: { [self] in
            due = clock.reading(at: $0.due)
            tick = Tick(truncatingIfNeeded: $0.tick)
        }
        // In a restored machine, too, a tick precedes what earlier ticks have scheduled for its time.
        capture.start(beforeOthers: true) { [self] in wait() }
        capture.finish(observer)
    }

    private func wait() {
        let pending = SingleAssignmentDisposable()
        // Assigned before the action can run, because the action may assign the next timer.
        timer.disposable = pending
        pending.setDisposable(scheduler.schedule(after: clock.interval(until: due)) { [self] in fire() })
    }

    private func fire() {
        capture.serializer.run {
            let current = tick
            guard let period else {
                observer.onNext(current)
                return observer.onCompleted()
            }
            tick &+= 1
            due = clock.reading(following: due, every: period)
            // Before the delivery, so that the next tick comes first among the actions of its time.
            wait()
            observer.onNext(current)
        }
    }
}

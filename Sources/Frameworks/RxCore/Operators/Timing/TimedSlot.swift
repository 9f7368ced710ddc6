import StateCapture

/// A timer and a pending element, for operators that hold an element until the timer fires.
///
/// Only one thread runs at a time. A timer that was reset or stopped does not fire, even if it is already due.
final class TimedSlot<Element> {
    private let scheduler: any SchedulerType
    private let observer: AnyObserver<Element>
    private let timer = SerialDisposable()
    private let serializer: Serializer
    /// The captured side of the operator, if the session's machine is being wired.
    let capture: OperatorCapture?
    // Lazy: few operators read the time outside of sessions.
    private(set) lazy var clock = SchedulerClock(scheduler)
    /// Used inside the serializer, like the properties below.
    private var armings = 0
    private(set) var isArmed = false
    /// The reading of the clock at which the timer fires. Set only if the operator is captured.
    private var due: Int64?
    var element: Element?
    /// Further state of the operator: a reading of the clock, a number, and whether its source has ended.
    var moment: Int64?
    var count = 0
    var hasEnded = false
    /// Runs outside of the serializer after the action of the timer.
    var afterTimer: (() -> Void)?

    init(
        _ observer: AnyObserver<Element>, _ group: CompositeDisposable, _ scheduler: any SchedulerType,
        _ name: StaticString
    ) {
        self.observer = observer
        self.scheduler = scheduler
        serializer = Serializer(group)
        capture = OperatorCapture.current(group, serializer)
        group.add(timer)
        guard let capture else { return }
        let clock = clock
        capture.keep(name, holding: Element.self) { [self] in
            TimedState(
                due: .init(isArmed ? due.map(clock.stored) : nil), moment: .init(moment.map(clock.stored)),
                count: count, element: CapturedValue(element), hasEnded: hasEnded)
        } _: { [self] in
            element = $0.element.value
            due = $0.due.time.map(clock.reading(at:))
            moment = $0.moment.time.map(clock.reading(at:))
            count = $0.count
            hasEnded = $0.hasEnded
        }
    }

    func run(_ body: () -> Void) {
        serializer.run(body)
    }

    /// Leaves the serializer because the source has terminated, before the observers of parts of it are notified.
    func end() {
        serializer.end()
    }

    /// Starts the timer, or restarts it if it is running.
    func arm(after dueTime: RxTimeInterval, _ action: @escaping () -> Void) {
        armings += 1
        isArmed = true
        if capture != nil { due = clock.reading(after: dueTime) }
        let arming = armings
        timer.disposable = scheduler.schedule(after: dueTime) { [self] in
            var isCurrent = false
            serializer.run {
                // The timer may have fired on its thread before it was reset on this one.
                isCurrent = isArmed && armings == arming
                guard isCurrent else { return }
                isArmed = false
                action()
            }
            if isCurrent { afterTimer?() }
        }
    }

    /// Begins the operator's work with `begin`. In a restored operator, starts only the timer that was running.
    func begin(_ begin: @escaping () -> Void = {}, onTimer action: @escaping () -> Void) {
        guard let capture else { return run(begin) }
        capture.start { [self] in
            run {
                guard capture.isRestored else { return begin() }
                guard let due else { return }
                arm(after: clock.interval(until: due), action)
            }
        }
    }

    func disarm() {
        armings += 1
        isArmed = false
        timer.disposable = Disposables.create()
    }

    func take() -> Element? {
        defer { element = nil }
        return element
    }

    /// Sends the pending element to the observer, if there is one.
    func flush() {
        if let element = take() { observer.onNext(element) }
    }
}

/// The captured state of an operator with a ``TimedSlot``.
// The order leaves no gap between the properties. Its bytes would be undefined, and the state would seem to change.
private struct TimedState<Element>: Codable {
    var due: OptionalTime
    var moment: OptionalTime
    var count: Int
    var element: CapturedValue<Element>
    var hasEnded: Bool
}

/// A time, or none, without the gap that follows an optional.
private struct OptionalTime: Codable {
    private let nanoseconds: Int64

    init(_ time: StoredTime?) {
        nanoseconds = time?.nanoseconds ?? .min
    }

    var time: StoredTime? { nanoseconds == .min ? nil : StoredTime(nanoseconds: nanoseconds) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(container.decodeNil() ? nil : try container.decode(StoredTime.self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(time)
    }
}

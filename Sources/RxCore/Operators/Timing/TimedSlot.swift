/// A timer and a pending element, for operators that hold an element until the timer fires.
///
/// Only one thread runs at a time. A timer that was reset or stopped does not fire, even if it is already due.
final class TimedSlot<Element> {
    private let scheduler: any SchedulerType
    private let observer: AnyObserver<Element>
    private let timer = SerialDisposable()
    private let serializer = Serializer()
    /// Used inside the serializer, like the properties below.
    private var armings = 0
    private(set) var isArmed = false
    var element: Element?

    init(_ observer: AnyObserver<Element>, _ group: CompositeDisposable, _ scheduler: any SchedulerType) {
        self.observer = observer
        self.scheduler = scheduler
        group.add(timer)
    }

    func run(_ body: () -> Void) {
        serializer.run(body)
    }

    /// Starts the timer, or restarts it if it is running.
    func arm(after dueTime: RxTimeInterval, _ action: @escaping () -> Void) {
        armings += 1
        isArmed = true
        let arming = armings
        timer.disposable = scheduler.schedule(after: dueTime) { [self] in
            serializer.run {
                // The timer may have fired on its thread before it was reset on this one.
                guard isArmed, armings == arming else { return }
                isArmed = false
                action()
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

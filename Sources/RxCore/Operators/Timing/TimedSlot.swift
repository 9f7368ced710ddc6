/// What operators need that keep an element until a timer fires: one thread at a time runs, and a timer that was set again
/// or stopped does not fire, even if its time has come already.
final class TimedSlot<Element> {
    private let scheduler: any SchedulerType
    private let observer: AnyObserver<Element>
    private let timer = SerialDisposable()
    private let serializer = Serializer()
    /// These are used inside the serializer.
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

    /// Sets the timer, again if it is set.
    func arm(after dueTime: RxTimeInterval, _ action: @escaping () -> Void) {
        armings += 1
        isArmed = true
        let arming = armings
        timer.disposable = scheduler.after(dueTime) { [self] in
            serializer.run {
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

    /// Tells the observer the element that is kept, if there is one.
    func flush() {
        if let element = take() { observer.onNext(element) }
    }
}

import StateCapture

/// Sources that are subscribed while a session's machine is wired.
enum CapturedSource {
    /// Runs the closure of `create`; if it must not be repeated, only unless the machine is restored.
    static func create<Element>(
        isRepeated: Bool, _ observer: AnyObserver<Element>, _ group: CompositeDisposable, _ capture: OperatorCapture,
        _ subscribe: @escaping (AnyObserver<Element>) -> any Disposable
    ) {
        capture.keep("create")
        if !isRepeated, let registry = StateRegistry.restoring {
            return interrupt(observer, group, capture, registry)
        }
        let guarded = AnyObserver<Element> { event in
            guard case .next = event else { return observer.on(event) }
            OperatorCapture.sendInitialValues { observer.on(event) }
        }
        // A scope, because the closure, which may subscribe to captured operators, does not run again after the end.
        capture.makeScope("create")
        if !capture.hasEnded, !group.isDisposed { capture.wireLater { group.add(subscribe(guarded)) } }
        capture.finish(observer)
    }

    private static func interrupt<Element>(
        _ observer: AnyObserver<Element>, _ group: CompositeDisposable, _ capture: OperatorCapture,
        _ registry: StateRegistry
    ) {
        capture.makeScope("create")
        capture.finish(observer)
        if capture.hasEnded || group.isDisposed { return }
        registry.addInterruptedWork([InterruptedWork(name: "create")])
        // Nothing would ever end it, and an operator that awaits its end, such as `concatMap`, would wait forever.
        capture.start { observer.onCompleted() }
    }

    /// Runs the steps of a source that emits one element after another.
    static func run<Element>(
        _ step: @escaping ((), (()) -> Void) -> Void, _ observer: AnyObserver<Element>,
        _ group: CompositeDisposable, _ capture: OperatorCapture?, _ scheduler: any ImmediateSchedulerType
    ) {
        let scheduler = scheduler.resolveImmediate()
        let start = {
            let recursion = RecursiveAction(scheduler, action: step)
            // Added before the first step: on a scheduler that runs it immediately, nothing else would stop a source that
            // has no end.
            group.add(recursion)
            recursion.run(())
        }
        guard let capture else { return start() }
        // On the current thread, everything was emitted while the machine was first wired.
        if capture.hasEnded || StateRegistry.isRestoring && scheduler is CurrentThreadScheduler {
            return observer.onCompleted()
        }
        capture.start(start)
    }
}

/// A subscription that an operator makes later, on a scheduler.
final class CapturedSubscription {
    private let group: CompositeDisposable
    private let capture: OperatorCapture
    private let subscribe: () -> Void
    private var state = State()

    private struct State: Codable {
        var due: StoredTime?
        var isSubscribed = false
    }

    init(
        _ group: CompositeDisposable, _ capture: OperatorCapture, _ name: StaticString,
        _ subscribe: @escaping () -> Void
    ) {
        self.group = group
        self.capture = capture
        self.subscribe = subscribe
        capture.keep(name, holding: State.self, { [self] in state }, { [self] in state = $0 })
        capture.makeScope(name)
    }

    /// Subscribes after an interval, or at the time that was stored.
    func begin(after dueTime: RxTimeInterval, on scheduler: any SchedulerType) {
        let clock = SchedulerClock(scheduler)
        if isRepeated() { return }
        capture.start { [self] in
            let due = state.due.map(clock.reading(at:)) ?? clock.reading(after: dueTime)
            state.due = clock.stored(due)
            group.add(scheduler.schedule(after: clock.interval(until: due), run))
        }
    }

    /// Subscribes as soon as possible.
    func begin(on scheduler: any ImmediateSchedulerType) {
        if isRepeated() { return }
        capture.start { [self] in group.add(scheduler.schedule(run)) }
    }

    /// Repeats the subscription if it was made before the machine was restored.
    private func isRepeated() -> Bool {
        guard state.isSubscribed, !capture.hasEnded else { return false }
        capture.wireLater(subscribe)
        return true
    }

    private func run() {
        state.isSubscribed = true
        capture.wireLater(subscribe)
    }
}

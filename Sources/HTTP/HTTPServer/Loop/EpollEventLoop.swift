import CLinux
import Dispatch
import HTTPModel
import Synchronization

/// An event loop on Dispatch: a serial queue with one read source on an epoll descriptor, whose set holds all sockets
/// of the loop, its timer and its wakeup descriptor.
///
/// A round handles pending events, then queued tasks, then timers that are due, then the handlers that were marked in
/// the meantime. It leaves what it has no time for to the next one. Anything that a round schedules, including timers without a delay, runs in a later round, so sockets
/// always get their turn in between. While there is work, the loop stays in its event handler and waits in `epoll_wait`
/// for a short time, so that a busy loop never pays for a wakeup by Dispatch (two thread switches). When that time
/// passes without work, the loop returns its thread.
///
/// Sendable: mutable state is accessed only in rounds, which run one at a time. Everything else is atomic or constant.
/// `runningThread` identifies the thread that runs a round. The properties are `@exclusivity(unchecked)` for the same
/// reason.
final class EpollEventLoop: MeasuredEventLoop, @unchecked Sendable {
    /// The activity of a loop, which determines how a caller of `execute` wakes it.
    enum Activity: UInt8, AtomicRepresentable {
        /// In a round: the loop checks the mailbox before it waits.
        case running
        /// In `epoll_wait`: the wakeup descriptor wakes it.
        case waiting
        /// Outside its handler: a block on the queue wakes it.
        case parked
        /// The primary loop runs its rounds: the wakeup descriptor wakes the primary loop.
        case attached
        /// Attached, and the primary loop has been notified of new work.
        case signalled

        /// Whether the primary loop runs the rounds.
        var isAttached: Bool {
            switch self {
            case .attached, .signalled: true
            case .running, .waiting, .parked: false
            }
        }
    }

    /// How long a loop waits in its handler before it returns its thread.
    private static let lingerMilliseconds: Int32 = 10
    private static let eventCapacity = 256
    /// The number of marked handlers that one round calls; the next round calls the others, after new events.
    private static let maxMarked = 256
    /// The share of a round's time that one connection may use at once, in nanoseconds.
    private static let maxStepTime: UInt64 = 1_000_000
    /// The granularity of deadlines, so that many of them share a wakeup.
    private static let tick: UInt64 = 1_000_000
    // Handler keys hold a slot in their lower half, and no table has that many slots: these keys belong to no handler.
    private static let timerKey = UInt64.max
    private static let wakeupKey = UInt64.max - 1
    /// The key of the first attached loop; the keys of the other ones count down from it.
    static let firstAttachedKey = UInt64.max - 2

    let index: Int
    let count: Int

    let queue: DispatchQueue
    let source: any DispatchSourceRead
    let epoll: Int32
    private let wakeupDescriptor: Int32
    private let timer: Int32
    private let mailbox = Mailbox()
    let activity = Atomic(Activity.parked)
    let runningThread = Atomic<UInt64>(0)

    private let events: UnsafeMutablePointer<granary_event>
    @exclusivity(unchecked) private(set) var time: UInt64
    /// The coarse reading when the round began.
    private var coarseTime: UInt64
    @exclusivity(unchecked) private var handlers = HandlerTable()
    @exclusivity(unchecked) private var marked = HandlerQueue()
    /// Handlers that have used up their share of time and have more work. They continue after all others.
    @exclusivity(unchecked) private var yielding = HandlerQueue()
    @exclusivity(unchecked) private(set) var timers = TimerWheel()
    @exclusivity(unchecked) private var armedFor = UInt64.max
    private var tasks = LoopTasks()
    @exclusivity(unchecked) private var budget = RoundBudget()
    /// Work for the next round that finds nothing to do, and the time at which it is run in any case.
    @exclusivity(unchecked) private var idleWork: [Mailbox.LoopTask] = []
    @exclusivity(unchecked) private var idleWorkDue = UInt64.max
    /// Called at the end of each round, after the marked handlers.
    var endOfRound: () -> Void = {}
    private(set) var isStopped = false
    private(set) var measured = LoopActivity()

    /// The loop whose thread may run the rounds of this one.
    let primaryLoop: EpollEventLoop?
    /// Whether other loops may be attached to this one.
    let mayAttachLoops = Atomic(false)
    /// The loops that are attached to this one or request it.
    let secondaryLoopRegistry = SecondaryLoopRegistry()
    /// The earliest time at which this loop attaches others.
    let attachesLoopsFrom = Atomic<UInt64>(0)
    /// The start of the current round, or 0 while the loop waits.
    let roundStart = Atomic<UInt64>(0)
    /// The loops whose rounds run here, each in its slot. One that has left is noticed when it would run next.
    @exclusivity(unchecked) var attachedLoops: ContiguousArray<EpollEventLoop?> = []
    /// Whether the primary loop has received an event of this loop. Accessed only on the primary loop's thread.
    @exclusivity(unchecked) var isDue = false
    /// How many loops share the thread, and thereby the time that a client may have to wait.
    @exclusivity(unchecked) var loopsOnThread: UInt64 = 1
    /// The load of this loop's own thread, and whether it was light recently.
    @exclusivity(unchecked) var load = ThreadLoad()
    var isLightlyLoaded = false
    /// Detaches the secondary loops when this loop stalls.
    var watchdog: StallWatchdog?
    /// The clock of a loop that is run manually; other loops use the system's uptime.
    @exclusivity(unchecked) var manualClock: ManualClock?

    /// Opens the loop's descriptors. The loop runs until ``stop(_:)``; if there is a `primaryLoop`, on its thread while
    /// that thread has enough capacity for both.
    init(index: Int, count: Int, primaryLoop: EpollEventLoop? = nil) throws(HTTPServerError) {
        self.index = index
        self.count = count
        self.primaryLoop = primaryLoop
        let epoll = try FileDescriptor(granary_epoll_create(), "create an epoll set")
        let wakeup = try FileDescriptor(granary_event_descriptor(), "create an event descriptor")
        let timer = try FileDescriptor(granary_timer_descriptor(), "create a timer")
        // Edge-triggered, because these two descriptors are never read. Level-triggered, they would stay readable after
        // the first signal, and the loop would spin. Reading them would cost a system call for each wakeup.
        let readiness = granary_readable | granary_edge_triggered
        try HTTPServerError.check(
            granary_epoll_add(epoll.number, wakeup.number, readiness, EpollEventLoop.wakeupKey),
            "watch an event descriptor")
        try HTTPServerError.check(
            granary_epoll_add(epoll.number, timer.number, readiness, EpollEventLoop.timerKey), "watch a timer")
        // From here on, no call can fail. The descriptors are closed by the source's cancel handler, see `stop(_:)`,
        // which does not coincide with the end of an owner's lifetime.
        (self.epoll, wakeupDescriptor, self.timer) = (epoll.take(), wakeup.take(), timer.take())
        primaryLoop?.mayAttachLoops.store(true, ordering: .sequentiallyConsistent)
        queue = DispatchQueue(label: "granary.loop.\(index)")
        source = DispatchSource.makeReadSource(fileDescriptor: self.epoll, queue: queue)
        events = .allocate(capacity: EpollEventLoop.eventCapacity)
        time = granary_uptime_nanoseconds()
        coarseTime = granary_coarse_nanoseconds()
        source.setEventHandler { [self] in runRounds() }
        source.activate()
    }

    deinit {
        events.deallocate()
    }

    // EventLoop

    var isCurrent: Bool { runningThread.load(ordering: .relaxed) == granary_current_thread() }

    var now: MonotonicTime { MonotonicTime(nanoseconds: time) }

    var currentTime: MonotonicTime {
        // Only the difference: the coarse clock does not count the time for which the system was suspended.
        MonotonicTime(nanoseconds: manualClock?.nanoseconds ?? time &+ (granary_coarse_nanoseconds() &- coarseTime))
    }

    func execute(_ work: @escaping @Sendable () -> Void) {
        mailbox.push(work)
        wakeIfNeeded()
    }

    func execute(for source: WorkSource, _ work: @escaping @Sendable () -> Void) {
        mailbox.push(work, of: source)
        wakeIfNeeded()
    }

    var isRoundOver: Bool { isRoundOver(at: clock) }

    func executeWhenIdle(orAfter delay: Duration, _ work: @escaping @Sendable () -> Void) {
        assertCurrent()
        let (due, isBeyond) = clock.addingReportingOverflow(UInt64(max(0, delay.wholeNanoseconds)))
        idleWorkDue = min(idleWorkDue, isBeyond ? .max : due)
        idleWork.append(work)
    }

    /// Makes sure that the loop checks its mailbox.
    private func wakeIfNeeded() {
        // Sequentially consistent, like the loop's own accesses: this thread stores a task and then reads `activity`,
        // the loop stores `activity` and then reads the mailbox. With weaker orderings both could miss the other's
        // store, and the task would wait for the next event.
        while true {
            switch activity.load(ordering: .sequentiallyConsistent) {
            case .waiting:
                if transition(from: .waiting, to: .running) { return granary_event_signal(wakeupDescriptor) }
            case .parked:
                if transition(from: .parked, to: .running) { return queue.async { self.runRounds() } }
            case .attached:
                guard transition(from: .attached, to: .signalled) else { continue }
                // On the primary loop's own thread no signal is needed: it runs attached loops with queued tasks before it waits.
                if primaryLoop?.isCurrent != true { granary_event_signal(wakeupDescriptor) }
                return
            case .running, .signalled: return
            }
        }
    }

    private func transition(from old: Activity, to new: Activity) -> Bool {
        activity.compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent).exchanged
    }

    func schedule(after delay: Duration, _ work: @escaping () -> Void) -> any EventLoopTimer {
        assertCurrent()
        let scheduled = ScheduledWork(on: self, work)
        let nanoseconds = UInt64(max(0, delay.wholeNanoseconds))
        let (due, isBeyond) = time.addingReportingOverflow(nanoseconds)
        timers.set(scheduled, at: isBeyond ? .max : due)
        return scheduled
    }

    /// Removes the deadline of an entry.
    func forget(_ entry: TimerEntry) {
        assertCurrent()
        timers.remove(entry)
    }

    /// Stops the loop after its current round, closes its descriptors, and then calls `completion`. Tasks that were
    /// queued before are run; scheduled work is dropped.
    func stop(_ completion: @escaping @Sendable () -> Void) {
        execute { [self] in
            isStopped = true
            // Only here: Dispatch may still use the epoll descriptor until the source has called its cancel handler,
            // and a descriptor closed earlier could already be someone else's.
            source.setCancelHandler { [self] in
                mailbox.close()
                granary_close(epoll)
                granary_close(wakeupDescriptor)
                granary_close(timer)
                completion()
            }
        }
    }

    @inline(__always)
    func assertCurrent() {
        assert(isCurrent, "event loop \(index) was used from another thread")
    }
}

// The interface for the other parts of the server, in addition to the protocol's requirements. For use on the loop
// only.
extension EpollEventLoop {
    /// Watches a handler's descriptor.
    func add(_ handler: EpollHandler, for readiness: UInt32) -> Int32 {
        assertCurrent()
        let key = handlers.insert(handler)
        let result = granary_epoll_add(epoll, handler.descriptor, readiness, key)
        if result < 0 { handlers.remove(handler) }
        return result
    }

    /// Changes the events for which a handler's descriptor is watched.
    func watch(_ handler: EpollHandler, for readiness: UInt32) {
        assertCurrent()
        let result = granary_epoll_modify(epoll, handler.descriptor, readiness, handlers.key(of: handler))
        precondition(result == 0, "an epoll set refused to change a descriptor that is in it: \(-result)")
    }

    /// Removes a handler and its deadline; the descriptor stays open.
    func remove(_ handler: EpollHandler) {
        assertCurrent()
        timers.remove(handler)
        _ = granary_epoll_remove(epoll, handler.descriptor)
        handlers.remove(handler)
    }

    /// All handlers, in no particular order.
    var allHandlers: [EpollHandler] { handlers.all }

    /// Calls `roundEnded` once after all events of this round.
    func mark(_ handler: EpollHandler) {
        assertCurrent()
        if handler.mark() { marked.append(handler) }
    }

    /// Calls `roundEnded` once after everything else, in this round or a later one. For work that may wait for the work
    /// of other handlers.
    func yield(_ handler: EpollHandler) {
        assertCurrent()
        if handler.mark() { yielding.append(handler) }
    }

    /// Removes a handler's mark. Call it before the handler moves to another loop, which may mark it as well.
    func unmark(_ handler: EpollHandler) {
        assertCurrent()
        guard handler.isMarked else { return }
        handler.unmark()
        marked.remove(handler)
        yielding.remove(handler)
    }

    /// The current time in nanoseconds, which advances during a round; a manual clock does not.
    var clock: UInt64 { manualClock?.nanoseconds ?? granary_uptime_nanoseconds() }

    /// Returns whether the rest of the current kind of work has to wait for a later round.
    func isRoundOver(at now: UInt64) -> Bool { budget.isOver(at: now) }

    /// How long one connection may continue, in nanoseconds.
    var stepTime: UInt64 { EpollEventLoop.maxStepTime / loopsOnThread }

    /// Calls an entry at `time` at the latest. An entry that already waits for an earlier time is called then and has
    /// to call this again. A deadline that moves with every request therefore costs a comparison, not a change of the
    /// wheel.
    func wake(_ entry: TimerEntry, at time: UInt64) {
        assertCurrent()
        if !entry.isQueued || timers.time(of: entry) > time { timers.set(entry, at: time) }
    }

    /// Whether tasks from other threads or loops are waiting.
    var hasQueuedTasks: Bool { !mailbox.isEmpty }

    /// Whether tasks of sources wait for their turns, which other work for the same sources must not overtake.
    var hasWaitingSources: Bool { tasks.hasTurn }

    /// The time of this round in nanoseconds.
    var nanoseconds: UInt64 { time }
}

// Rounds run on the loop's queue or on the primary loop's.
extension EpollEventLoop {
    func runRounds() {
        // A block that was queued earlier may run when the loop is attached already.
        if activity.load(ordering: .sequentiallyConsistent).isAttached { return }
        runningThread.store(granary_current_thread(), ordering: .relaxed)
        activity.store(.running, ordering: .sequentiallyConsistent)
        // Once it is attached, the loop belongs to the primary loop, which may be in a round of it: `runningThread` is
        // the primary loop's.
        guard runOwnRounds() != .sharing else { return }
        runningThread.store(0, ordering: .relaxed)
    }

    /// The reason why a loop returns its thread.
    private enum ExitReason {
        case idle
        case sharing
        case stopped
    }

    private func runOwnRounds() -> ExitReason {
        // Both the source and a block may have requested this round. The second one finds the loop stopped.
        guard !source.isCancelled else { return .stopped }
        beginWatchingLoad()
        var wait: Int32 = 0
        while true {
            loopsOnThread = UInt64(attachedLoops.count + 1)
            let isIdle = round(waiting: wait) && wait > 0
            if isStopped {
                endSharing()
                return .stopped
            }
            if runAttachedLoops() || needsRound {
                // While any loop on this thread has work, the next round polls and does not wait.
                wait = 0
                watchLoad()
                continue
            }
            armTimer()
            watchLoad()
            if attachToPrimaryLoop(isIdle: isIdle) { return .sharing }
            if isIdle { roundStart.store(0, ordering: .relaxed) }
            let next = isIdle ? Activity.parked : Activity.waiting
            // Announced before the mailbox is checked; see `wakeIfNeeded()`. A task that arrives after the check finds
            // the loop waiting or parked and wakes it.
            activity.store(next, ordering: .sequentiallyConsistent)
            if !mailbox.isEmpty {
                let before = activity.exchange(.running, ordering: .sequentiallyConsistent)
                // A caller of `execute` saw the loop parked and has already queued the next round.
                if isIdle && before == .running { return .idle }
                wait = 0
            } else if isIdle {
                return .idle
            } else {
                wait = EpollEventLoop.lingerMilliseconds
            }
        }
    }

    /// Whether the next round is due immediately: handlers are marked, tasks are left, timers have become due since the last
    /// one, or work waits for a round that finds nothing to do.
    var needsRound: Bool {
        !marked.isEmpty || !yielding.isEmpty || tasks.hasBacklog || timers.first <= time || !idleWork.isEmpty
    }

    /// Advances the time of this round to the time of another loop's round, on whose behalf this loop works.
    func catchUp(with other: EpollEventLoop) {
        if other.time > time {
            time = other.time
            coarseTime = granary_coarse_nanoseconds()
        }
        budget = other.budget
    }

    /// Runs one round; returns whether there was nothing to do.
    @discardableResult
    func round(waiting milliseconds: Int32) -> Bool {
        // While the loop waits it cannot stall anyone, so the watchdog must not count the wait as part of a round.
        roundStart.store(0, ordering: .relaxed)
        let count = granary_epoll_wait(epoll, events, Int32(EpollEventLoop.eventCapacity), milliseconds)
        precondition(count >= 0, "an epoll set cannot be waited for: \(-count)")
        // With a timeout of 0 the activity was never changed.
        if milliseconds > 0 { activity.store(.running, ordering: .sequentiallyConsistent) }
        time = manualClock?.nanoseconds ?? granary_uptime_nanoseconds()
        coarseTime = granary_coarse_nanoseconds()
        roundStart.store(time, ordering: .relaxed)
        timers.beginRound(at: time)
        budget.beginRound(at: time, loops: loopsOnThread)
        for index in 0..<Int(count) {
            let event = events[index]
            if event.key == EpollEventLoop.timerKey {
                armedFor = .max
            } else if let secondary = attachedLoop(for: event.key) {
                // Only noted: the attached loops run after this loop's own round, each with its full share of time.
                secondary.isDue = true
            } else if let handler = handlers[event.key] {
                handler.becameReady(event.readiness)
            }
        }
        let ranTasks = runTasks()
        runTimers()
        runMarked()
        endOfRound()
        let foundNothing = count == 0 && !ranTasks
        // A loop that stops has no later round.
        if !idleWork.isEmpty, foundNothing || isStopped || clock >= idleWorkDue { runIdleWork() }
        // Rounds that only poll are not work, and an idle loop does not pay for the clock.
        if !foundNothing { measured.addRound(nanoseconds: clock &- time) }
        return foundNothing
    }

    private func runIdleWork() {
        var work: [Mailbox.LoopTask] = []
        // What the work adds waits for another round.
        swap(&work, &idleWork)
        idleWorkDue = .max
        for task in work { task() }
        guard idleWork.isEmpty else { return }
        // For its memory.
        work.removeAll(keepingCapacity: true)
        swap(&work, &idleWork)
    }

    private func runTasks() -> Bool {
        tasks.take(from: mailbox)
        guard tasks.hasFirst || tasks.hasTurn else { return false }
        budget.beginKind()
        while let task = tasks.takeFirst() {
            task()
            if tasks.hasFirst, leavesTasks { break }
        }
        tasks.leaveRest()
        budget.beginKind()
        while let task = tasks.takeTurn() {
            task()
            if tasks.hasTurn, leavesTasks { break }
        }
        return true
    }

    /// Whether the rest of the tasks is left to the next round. A loop that stops has no later round.
    private var leavesTasks: Bool { !isStopped && isRoundOver }

    private func runTimers() {
        budget.beginKind()
        while let entry = timers.popDue(now: time) {
            entry.timePassed(now: time)
            if timers.first <= time, isRoundOver { break }
        }
    }

    /// Calls marked handlers. Handlers that are marked again in the meantime wait for the next round, after new events,
    /// and so do those for which no time is left.
    private func runMarked() {
        callHandlers(min(marked.count, EpollEventLoop.maxMarked)) { marked.removeFirst() }
        callHandlers(yielding.count) { yielding.removeFirst() }
    }

    private func callHandlers(_ count: Int, _ next: () -> EpollHandler?) {
        budget.beginKind()
        for called in 0..<count {
            if called > 0, isRoundOver { break }
            next()?.endRound()
        }
    }

    func armTimer() {
        guard timers.first < armedFor else { return }
        // Not earlier than a tick from now, so that several deadlines share one timer event.
        armedFor = max(timers.first, time + EpollEventLoop.tick)
        let result = granary_timer_arm(timer, armedFor)
        precondition(result == 0, "a timer cannot be set: \(-result)")
    }
}

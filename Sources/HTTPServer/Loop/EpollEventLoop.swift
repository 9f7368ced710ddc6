import CLinux
import Dispatch
import HTTPModel
import Synchronization

/// An event loop on Dispatch: a serial queue with a single source, a read source on an epoll descriptor that holds all of
/// the loop's sockets, its timer and its bell.
///
/// A round takes the events that are there, then the mailbox, then the timers that are due, then the handlers that were
/// marked meanwhile. What a round sets to be done, timers without a delay included, is done in a later round, so sockets
/// always have their turn in between. While there is work the loop stays in its handler and waits in `epoll_wait` for a moment, so that a
/// busy loop never pays for Dispatch's own wake-up (two thread switches); once that moment passes with nothing to do, it
/// gives the thread back.
///
/// Sendable: what is mutable is touched in rounds only, which run one at a time on the queue; the rest is atomic or
/// constant. `runningThread` tells the rounds from the rest of the world.
final class EpollEventLoop: EventLoop, @unchecked Sendable {
    enum Activity {
        /// In a round: it will look into the mailbox before it waits.
        static let running: UInt8 = 0
        /// In `epoll_wait`: the bell wakes it.
        static let waiting: UInt8 = 1
        /// Not in its handler: the queue wakes it.
        static let parked: UInt8 = 2
        /// Its rounds are its carrier's to run: the bell wakes that.
        static let guest: UInt8 = 3
        /// Riding, and its carrier has been told that there is something to do.
        static let signalledGuest: UInt8 = 4
    }

    /// How long a loop waits in its handler before it gives the thread back.
    private static let lingerMilliseconds: Int32 = 10
    private static let eventCapacity = 256
    /// Marked handlers that are called in one round; the others are called in the next one, after new events.
    private static let mostMarked = 256
    /// How long a round may take, in nanoseconds, before what can wait is left to the next round, and how long one connection
    /// may take of it. A client waits for at most about two rounds, whatever others do.
    private static let roundTime: UInt64 = 2_000_000
    private static let mostStepTime: UInt64 = 1_000_000
    /// Deadlines are no finer than this, so that many of them share a wake-up.
    private static let tick: UInt64 = 1_000_000
    private static let timerKey = UInt64.max
    private static let wakeupKey = UInt64.max - 1
    /// The key of the first rider; those of the others are below it.
    static let firstGuestKey = UInt64.max - 2

    let index: Int
    let count: Int

    let queue: DispatchQueue
    let source: any DispatchSourceRead
    let epoll: Int32
    private let wakeupDescriptor: Int32
    private let timer: Int32
    private let mailbox = Mailbox()
    let activity = Atomic<UInt8>(Activity.parked)
    let runningThread = Atomic<UInt64>(0)

    private let events: UnsafeMutablePointer<granary_event>
    @exclusivity(unchecked) private(set) var time: UInt64
    @exclusivity(unchecked) private var handlers = HandlerTable()
    @exclusivity(unchecked) private var marked = HandlerQueue()
    /// Handlers that have had their share and have more to do: they go on after all others.
    @exclusivity(unchecked) private var yielding = HandlerQueue()
    @exclusivity(unchecked) private(set) var timers = TimerWheel()
    @exclusivity(unchecked) private var armedFor = UInt64.max
    private var works: [Mailbox.LoopTask] = []
    /// Called at the end of each round, after those that were marked.
    var endOfRound: () -> Void = {}
    private(set) var isStopped = false

    /// The loop on whose thread this one's rounds may be run.
    let hostLoop: EpollEventLoop?
    /// Whether other loops may ride along with this one.
    let mayHostGuests = Atomic(false)
    /// Those that ride along, and those that want to.
    let guestRegistry = GuestRegistry()
    /// From when on there is room for riders on this loop's thread.
    let acceptsGuestsFrom = Atomic<UInt64>(0)
    /// Since when a round has been run, 0 while the loop waits.
    let roundStart = Atomic<UInt64>(0)
    /// The loops whose rounds are run here, each in its place; those that have left are found out when it is their turn.
    @exclusivity(unchecked) var guests: ContiguousArray<EpollEventLoop?> = []
    /// Whether the carrier has seen that there is something to do. Touched on the carrier's thread only.
    @exclusivity(unchecked) var isDue = false
    /// How many loops the thread runs rounds of, which share the time that a client may have to wait.
    @exclusivity(unchecked) var loopsOnThread: UInt64 = 1
    /// How busy this loop's thread is, when it has one of its own, and whether it has had little to do lately.
    @exclusivity(unchecked) var load = ThreadLoad()
    @exclusivity(unchecked) var isLightlyLoaded = false
    /// Sees to it that riders are not held up with their carrier.
    var watchdog: StallWatchdog?
    /// Says what time it is for a loop that is run by hand; the others follow the kernel's monotonic clock.
    @exclusivity(unchecked) var manualClock: ManualClock?

    /// Opens the loop's descriptors. It runs from then on, until ``stop(_:)``; on the thread of the carrier, if there is one,
    /// while that is enough for both.
    init(index: Int, count: Int, hostLoop: EpollEventLoop? = nil) throws(HTTPServerError) {
        self.index = index
        self.count = count
        self.hostLoop = hostLoop
        hostLoop?.mayHostGuests.store(true, ordering: .sequentiallyConsistent)
        epoll = try HTTPServerError.check(granary_epoll_create(), "make an epoll set")
        wakeupDescriptor = try HTTPServerError.check(granary_event_descriptor(), "make an event descriptor")
        timer = try HTTPServerError.check(granary_timer_descriptor(), "make a timer")
        try HTTPServerError.check(
            granary_epoll_add(
                epoll, wakeupDescriptor, granary_readable | granary_edge_triggered, EpollEventLoop.wakeupKey),
            "watch an event descriptor")
        try HTTPServerError.check(
            granary_epoll_add(epoll, timer, granary_readable | granary_edge_triggered, EpollEventLoop.timerKey),
            "watch a timer")
        queue = DispatchQueue(label: "granary.loop.\(index)")
        source = DispatchSource.makeReadSource(fileDescriptor: epoll, queue: queue)
        events = .allocate(capacity: EpollEventLoop.eventCapacity)
        time = granary_monotonic_nanoseconds()
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
        MonotonicTime(nanoseconds: manualClock?.nanoseconds ?? granary_coarse_nanoseconds())
    }

    func execute(_ work: @escaping @Sendable () -> Void) {
        mailbox.push(work)
        call()
    }

    /// Sees to it that the loop looks into its mailbox.
    private func call() {
        while true {
            switch activity.load(ordering: .sequentiallyConsistent) {
            case Activity.waiting:
                if change(from: Activity.waiting, to: Activity.running) {
                    return granary_event_signal(wakeupDescriptor)
                }
            case Activity.parked:
                if change(from: Activity.parked, to: Activity.running) { return queue.async { self.runRounds() } }
            case Activity.guest:
                guard change(from: Activity.guest, to: Activity.signalledGuest) else { continue }
                // A carrier looks after its riders before it waits.
                if hostLoop?.isCurrent != true { granary_event_signal(wakeupDescriptor) }
                return
            default: return
            }
        }
    }

    private func change(from old: UInt8, to new: UInt8) -> Bool {
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

    /// Forgets an entry's time.
    func forget(_ entry: TimerEntry) {
        assertCurrent()
        timers.remove(entry)
    }

    /// Ends the loop once its present round is over, closes its descriptors and then tells. What was to be executed
    /// later is run before; what was scheduled is forgotten.
    func stop(_ completion: @escaping @Sendable () -> Void) {
        execute { [self] in
            isStopped = true
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

// What the server's parts ask of the loop, beside what the protocol offers. All of it on the loop only.
extension EpollEventLoop {
    /// Watches a handler's descriptor.
    func add(_ handler: EpollHandler, for readiness: UInt32) -> Int32 {
        assertCurrent()
        let key = handlers.insert(handler)
        let result = granary_epoll_add(epoll, handler.descriptor, readiness, key)
        if result < 0 { handlers.remove(handler) }
        return result
    }

    /// Watches a handler's descriptor for something else from now on.
    func watch(_ handler: EpollHandler, for readiness: UInt32) {
        assertCurrent()
        let result = granary_epoll_modify(epoll, handler.descriptor, readiness, handlers.key(of: handler))
        precondition(result == 0, "an epoll set refused to change a descriptor that is in it: \(-result)")
    }

    /// Forgets a handler and its deadline; its descriptor stays open.
    func remove(_ handler: EpollHandler) {
        assertCurrent()
        timers.remove(handler)
        _ = granary_epoll_remove(epoll, handler.descriptor)
        handlers.remove(handler)
    }

    /// All handlers, in no order.
    var allHandlers: [EpollHandler] { handlers.all }

    /// Has `roundEnded` called once when all events of this round are done.
    func mark(_ handler: EpollHandler) {
        assertCurrent()
        if handler.mark() { marked.append(handler) }
    }

    /// Has `roundEnded` called once when everything else has been done, in this round or a later one: for work that is worth
    /// less than what others wait for.
    func yield(_ handler: EpollHandler) {
        assertCurrent()
        if handler.mark() { yielding.append(handler) }
    }

    /// Forgets that a handler was marked. To be called before it moves to another loop, which may mark it too.
    func unmark(_ handler: EpollHandler) {
        assertCurrent()
        guard handler.isMarked else { return }
        handler.unmark()
        marked.remove(handler)
        yielding.remove(handler)
    }

    /// The present time in nanoseconds, which goes on during a round; on a loop that is run by hand it stands still.
    var clock: UInt64 { manualClock?.nanoseconds ?? granary_monotonic_nanoseconds() }

    /// Whether the round has taken so long that what can wait has to.
    func isRoundOver(at now: UInt64) -> Bool { now >= time + EpollEventLoop.roundTime / loopsOnThread }

    /// How long one connection may go on for, in nanoseconds.
    var stepTime: UInt64 { EpollEventLoop.mostStepTime / loopsOnThread }

    /// Calls an entry at that time at the latest. An entry that waits for an earlier time is called then, and has to ask
    /// again: so a deadline that is put off with every request costs a comparison and not a place in the wheel.
    func wake(_ entry: TimerEntry, at time: UInt64) {
        assertCurrent()
        if !entry.isQueued || timers.time(of: entry) > time { timers.set(entry, at: time) }
    }

    /// Whether there is work from outside that has not run.
    var hasQueuedTasks: Bool { !mailbox.isEmpty }

    /// The time of this round in nanoseconds.
    var nanoseconds: UInt64 { time }
}

// Rounds. They run on the queue, or on the carrier's.
extension EpollEventLoop {
    func runRounds() {
        // An old call may come when the loop rides already.
        guard activity.load(ordering: .sequentiallyConsistent) < Activity.guest else { return }
        runningThread.store(granary_current_thread(), ordering: .relaxed)
        activity.store(Activity.running, ordering: .sequentiallyConsistent)
        // A loop that rides is its carrier's, who may be at it already.
        guard runOwnRounds() != .sharing else { return }
        runningThread.store(0, ordering: .relaxed)
    }

    /// Why a loop gives its thread back.
    private enum Leave {
        case idle
        case sharing
        case stopped
    }

    private func runOwnRounds() -> Leave {
        // A round may have been asked for by the source and by the queue: the second finds the loop ended.
        guard !source.isCancelled else { return .stopped }
        beginWatchingLoad()
        var wait: Int32 = 0
        while true {
            loopsOnThread = UInt64(guests.count + 1)
            let isIdle = round(waiting: wait) && wait > 0
            if isStopped {
                endSharing()
                return .stopped
            }
            if runGuests() || needsRound {
                wait = 0
                watchLoad()
                continue
            }
            armTimer()
            watchLoad()
            if joinHost(isIdle: isIdle) { return .sharing }
            if isIdle { roundStart.store(0, ordering: .relaxed) }
            let next = isIdle ? Activity.parked : Activity.waiting
            activity.store(next, ordering: .sequentiallyConsistent)
            if !mailbox.isEmpty {
                let before = activity.exchange(Activity.running, ordering: .sequentiallyConsistent)
                // Someone has seen the loop parked, and has asked the queue for the next round.
                if isIdle && before == Activity.running { return .idle }
                wait = 0
            } else if isIdle {
                return .idle
            } else {
                wait = EpollEventLoop.lingerMilliseconds
            }
        }
    }

    /// Whether the next round is due immediately: handlers wait for its end, or timers have been due since the last one.
    var needsRound: Bool { !marked.isEmpty || !yielding.isEmpty || timers.first <= time }

    /// The time of another loop's round is this one's as well.
    func catchUp(with other: UInt64) { time = max(time, other) }

    /// One round; answers whether there was nothing to do.
    @discardableResult
    func round(waiting milliseconds: Int32) -> Bool {
        roundStart.store(0, ordering: .relaxed)
        let count = granary_epoll_wait(epoll, events, Int32(EpollEventLoop.eventCapacity), milliseconds)
        precondition(count >= 0, "an epoll set cannot be waited for: \(-count)")
        if milliseconds > 0 { activity.store(Activity.running, ordering: .sequentiallyConsistent) }
        time = manualClock?.nanoseconds ?? granary_monotonic_nanoseconds()
        roundStart.store(time, ordering: .relaxed)
        timers.beginRound(at: time)
        for index in 0..<Int(count) {
            let event = events[index]
            if event.key == EpollEventLoop.timerKey {
                armedFor = .max
            } else if let guest = guest(for: event.key) {
                guest.isDue = true
            } else if let handler = handlers[event.key] {
                handler.becameReady(event.readiness)
            }
        }
        let ranTasks = runMailbox()
        while let entry = timers.popDue(now: time) { entry.timePassed(now: time) }
        runMarked()
        endOfRound()
        return count == 0 && !ranTasks
    }

    private func runMailbox() -> Bool {
        mailbox.popAll(into: &works)
        guard !works.isEmpty else { return false }
        for work in works { work() }
        works.removeAll(keepingCapacity: true)
        return true
    }

    /// Those that are marked again meanwhile come in the next round, after new events; so do those for whom there is no time
    /// left, though one of each kind is called in any case.
    private func runMarked() {
        var left = min(marked.count, EpollEventLoop.mostMarked)
        while left > 0 {
            marked.removeFirst()?.endRound()
            left -= 1
            if left > 0, isRoundOver(at: clock) { break }
        }
        left = yielding.count
        while left > 0 {
            yielding.removeFirst()?.endRound()
            left -= 1
            if left > 0, isRoundOver(at: clock) { break }
        }
    }

    func armTimer() {
        guard timers.first < armedFor else { return }
        armedFor = max(timers.first, time + EpollEventLoop.tick)
        let result = granary_timer_arm(timer, armedFor)
        precondition(result == 0, "a timer cannot be set: \(-result)")
    }
}

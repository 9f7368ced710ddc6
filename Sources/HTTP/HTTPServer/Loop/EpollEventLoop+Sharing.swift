import CLinux
import Dispatch
import Synchronization

// Loop sharing: several loops run on one thread while one thread is enough.
//
// A thread for a loop with little to do is expensive: each event wakes it, and work passed between two loops wakes both
// threads. A *secondary loop* therefore lets the *primary loop* run its rounds: it is *attached* to it. Its epoll set is
// then part of the primary loop's epoll set. When the primary loop's thread is busy most of the time, or stalls, each
// attached loop gets its own thread back.
//
// One thread at a time accesses the state of a loop: the thread that has claimed it. `activity` records the claim.
// While a loop is attached, the primary loop claims it for a round or for a request, and the stall watchdog claims it in
// order to return it to its own thread while the primary loop is held up in a round. `isCurrent` is true on the thread
// that has the claim.
extension EpollEventLoop {
    // The secondary loop's side, on its own thread.

    /// Lets the primary loop run this loop from now on, if both have little to do.
    ///
    /// - Returns: Whether the primary loop took over. If so, the caller must no longer access the loop.
    func attachToPrimaryLoop(isIdle: Bool) -> Bool {
        guard let primaryLoop, isIdle || isLightlyLoaded, primaryLoop.attachesLoopsFrom.load(ordering: .relaxed) <= time
        else { return false }
        isLightlyLoaded = false
        // Suspended before `activity` changes: from then on the primary loop runs the rounds, and the queue must not run
        // one as well.
        source.suspend()
        runningThread.store(0, ordering: .relaxed)
        activity.store(.attached, ordering: .sequentiallyConsistent)
        if primaryLoop.secondaryLoopRegistry.request(self) {
            // The primary loop runs this task on its own thread, so that only that thread changes `attachedLoops`.
            primaryLoop.execute { primaryLoop.attachWaitingLoops() }
            return true
        }
        activity.store(.running, ordering: .sequentiallyConsistent)
        // The primary loop has ended and attaches no loops. A task that was queued in between has signalled the wakeup
        // descriptor, which this loop watches again.
        runningThread.store(granary_current_thread(), ordering: .relaxed)
        source.resume()
        return false
    }

    // Claims, on any thread.

    /// Claims an attached loop that no thread is running. Returns whether that succeeded.
    private func claim() -> Bool {
        while true {
            let before = activity.load(ordering: .sequentiallyConsistent)
            guard before.isAttached else { return false }
            let (exchanged, _) = activity.compareExchange(
                expected: before, desired: .running, ordering: .sequentiallyConsistent)
            if exchanged { return true }
        }
    }

    /// Resumes rounds on the loop's own queue. The caller has claimed the loop and must not access it afterwards.
    private func resumeOwnThread() {
        // The source alone is not enough. A task that was queued on the primary loop's thread has not signalled the wakeup
        // descriptor, so only a round finds it.
        source.resume()
        queue.async { self.runRounds() }
    }

    /// Returns every attached loop that is not running to its own thread.
    private func detachLoops() {
        // Taken from the registry before they are claimed: the primary loop and the watchdog may both be here, and each loop
        // is detached by one of them only.
        for secondary in secondaryLoopRegistry.removeAll() {
            guard secondary.claim() else {
                secondaryLoopRegistry.restore(secondary)
                continue
            }
            _ = granary_epoll_remove(epoll, secondary.epoll)
            secondary.resumeOwnThread()
        }
    }

    // The primary loop's side, on its thread.

    /// Returns the attached loop that an event key belongs to, or `nil` if it is not the key of one.
    @inline(__always)
    func attachedLoop(for key: UInt64) -> EpollEventLoop? {
        let first = EpollEventLoop.firstAttachedKey
        guard key > first - UInt64(attachedLoops.count), key <= first else { return nil }
        return attachedLoops[Int(first - key)]
    }

    private func attachWaitingLoops() {
        for secondary in secondaryLoopRegistry.attachWaiting() {
            // A loop that the watchdog detached may be back before its old slot was cleared; it must not get a second
            // one.
            let place =
                attachedLoops.firstIndex { $0 === secondary } ?? attachedLoops.firstIndex { $0 == nil }
                ?? attachedLoops.count
            if place == attachedLoops.count {
                attachedLoops.append(secondary)
            } else {
                attachedLoops[place] = secondary
            }
            let key = EpollEventLoop.firstAttachedKey - UInt64(place)
            // Level-triggered, unlike the loop's own descriptors: a round of the loop may leave events in its epoll set,
            // and the primary loop has to see them again.
            if granary_epoll_add(epoll, secondary.epoll, granary_readable, key) < 0 { detachLoops() }
        }
    }

    /// Runs a round of each attached loop that has work; returns whether one of them still has work.
    func runAttachedLoops() -> Bool {
        guard !attachedLoops.isEmpty else { return false }
        for place in attachedLoops.indices {
            guard let secondary = attachedLoops[place], secondary.isDue || secondary.hasQueuedTasks else { continue }
            // The claim fails if the watchdog has detached the loop; this is where the primary loop notices.
            if secondary.claim() {
                runRound(of: secondary)
            } else {
                attachedLoops[place] = nil
            }
        }
        // A loop may have queued a task for another attached loop whose round was already over.
        return attachedLoops.contains { secondary in secondary.map { $0.isDue || $0.hasQueuedTasks } ?? false }
    }

    private func runRound(of secondary: EpollEventLoop) {
        secondary.runningThread.store(granary_current_thread(), ordering: .relaxed)
        secondary.isDue = false
        secondary.loopsOnThread = loopsOnThread
        // Never waits: the primary loop has already waited for the events of all loops together.
        secondary.round(waiting: 0)
        // An unarmed timer never makes the loop's epoll set readable, and its next entry would never run.
        if !secondary.needsRound { secondary.armTimer() }
        secondary.runningThread.store(0, ordering: .relaxed)
        if secondary.isStopped {
            secondaryLoopRegistry.remove(secondary)
            _ = granary_epoll_remove(epoll, secondary.epoll)
            return secondary.resumeOwnThread()
        }
        secondary.releaseClaim()
    }

    /// Ends the claim of a loop that stays attached. Later tasks signal the primary loop; earlier ones are in the mailbox.
    private func releaseClaim() {
        if needsRound { isDue = true }
        // The last access: from here on the watchdog may claim the loop on another thread.
        activity.store(.attached, ordering: .sequentiallyConsistent)
    }

    /// Runs work of this loop immediately if this loop and `other`, which is in a round, share the current thread.
    ///
    /// - Returns: The result of the work, or `nil` if it was not run.
    func runInline<Result>(from other: EpollEventLoop, _ work: () -> Result) -> Result? {
        let root = primaryLoop ?? self
        guard other.primaryLoop ?? other === root, root.isCurrent else { return nil }
        if self === root {
            guard !hasWaitingSources else { return nil }
            // In a round of the primary loop or of one that is attached to it, this thread already has the primary loop,
            // so there is nothing to claim.
            catchUp(with: other)
            return work()
        }
        guard claim() else { return nil }
        guard !hasWaitingSources else {
            releaseClaim()
            return nil
        }
        runningThread.store(granary_current_thread(), ordering: .relaxed)
        catchUp(with: other)
        let result = work()
        if !needsRound { armTimer() }
        runningThread.store(0, ordering: .relaxed)
        releaseClaim()
        return result
    }

    /// Detaches all other loops and ends this one.
    func endSharing() {
        secondaryLoopRegistry.close()
        detachLoops()
        attachedLoops = []
        watchdog?.cancel()
        source.cancel()
    }

    // Load

    /// Whether the load of the thread matters: the loop is secondary, or others may be attached to it.
    private var mayShareThread: Bool { primaryLoop != nil || mayAttachLoops.load(ordering: .relaxed) }

    /// Starts to measure the load of the thread, which has begun to run rounds.
    func beginWatchingLoad() {
        guard mayShareThread else { return }
        // Dispatch may run the queue on another thread each time, and processor time is counted per thread.
        load.restart(now: granary_uptime_nanoseconds(), processor: granary_thread_nanoseconds())
        guard primaryLoop == nil else { return }
        if let watchdog {
            watchdog.resume()
        } else {
            watchdog = StallWatchdog { [weak self] in self?.detachLoopsIfStalled() ?? false }
        }
    }

    /// Measures the load of the thread at the end of a round.
    func watchLoad() {
        guard mayShareThread else { return }
        let now = granary_uptime_nanoseconds()
        guard load.add(roundFrom: time, to: now) else { return }
        let verdict = load.judge(
            now: now, processor: granary_thread_nanoseconds(), idle: granary_idle_nanoseconds)
        isLightlyLoaded = verdict == .light
        switch verdict {
        case .light: break
        case .moderate, .busy: attachesLoopsFrom.store(now + 2 * ThreadLoad.window, ordering: .relaxed)
        case .overloaded:
            attachesLoopsFrom.store(now + EpollEventLoop.pauseAfterOverload, ordering: .relaxed)
            detachLoops()
        }
    }

    /// How long a loop attaches no others after its thread was overloaded, in nanoseconds.
    private static let pauseAfterOverload: UInt64 = 1_000_000_000

    // The watchdog's side.

    /// Detaches all other loops if the primary loop has been in the same round for too long. Returns whether it runs rounds at
    /// all.
    private func detachLoopsIfStalled() -> Bool {
        guard activity.load(ordering: .sequentiallyConsistent) != .parked else { return false }
        let start = roundStart.load(ordering: .relaxed)
        let now = granary_uptime_nanoseconds()
        if start != 0, now >= start + ThreadLoad.maxRoundTime {
            attachesLoopsFrom.store(now + EpollEventLoop.pauseAfterOverload, ordering: .relaxed)
            detachLoops()
        }
        return true
    }
}

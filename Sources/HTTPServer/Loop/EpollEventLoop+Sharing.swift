import CLinux
import Dispatch
import Synchronization

// Loop sharing: several loops run on one thread while one thread is enough.
//
// A thread for a loop with little to do is expensive: each event wakes it, and work passed between two loops wakes both
// threads. A loop with a host loop (a *guest*) therefore lets its host run its rounds. The guest's epoll set is part of
// the host's epoll set. When the host's thread is busy most of the time, or stalls, each guest gets its own thread
// back.
//
// One thread at a time accesses the state of a loop: the thread that has claimed it. `activity` records the claim.
// While a loop is a guest, the host claims it for a round or for a request, and the stall watchdog claims it in order
// to return it to its own thread while the host is held up in a round. `isCurrent` is true on the thread that has the
// claim.
extension EpollEventLoop {
    // The guest's side, on the guest's own thread.

    /// Lets the host loop run this loop from now on, if both have little to do.
    ///
    /// - Returns: Whether the host took over. If so, the caller must no longer access the loop.
    func joinHost(isIdle: Bool) -> Bool {
        guard let hostLoop, isIdle || isLightlyLoaded, hostLoop.acceptsGuestsFrom.load(ordering: .relaxed) <= time
        else { return false }
        isLightlyLoaded = false
        // Suspended before `activity` changes: from then on the host runs the rounds, and the queue must not run one as
        // well.
        source.suspend()
        runningThread.store(0, ordering: .relaxed)
        activity.store(.guest, ordering: .sequentiallyConsistent)
        if hostLoop.guestRegistry.request(self) {
            // The host runs this task on its own thread, so that only that thread changes `guests`.
            hostLoop.execute { hostLoop.admitGuests() }
            return true
        }
        activity.store(.running, ordering: .sequentiallyConsistent)
        // The host has ended and takes no guests. A task that was queued in between has signalled the wakeup
        // descriptor, which this loop watches again.
        runningThread.store(granary_current_thread(), ordering: .relaxed)
        source.resume()
        return false
    }

    // Claims, on any thread.

    /// Claims a guest that no thread is running. Returns whether that succeeded.
    private func claim() -> Bool {
        while true {
            let before = activity.load(ordering: .sequentiallyConsistent)
            guard before.isGuest else { return false }
            let (exchanged, _) = activity.compareExchange(
                expected: before, desired: .running, ordering: .sequentiallyConsistent)
            if exchanged { return true }
        }
    }

    /// Resumes rounds on the loop's own queue. The caller has claimed the loop and must not access it afterwards.
    private func resumeOwnThread() {
        // The source alone is not enough. A task that was queued on the host's thread has not signalled the wakeup
        // descriptor, so only a round finds it.
        source.resume()
        queue.async { self.runRounds() }
    }

    /// Returns every guest that is not running to its own thread.
    private func detachGuests() {
        // Taken from the registry before they are claimed: the host and the watchdog may both be here, and each guest
        // is detached by one of them only.
        for guest in guestRegistry.removeAll() {
            guard guest.claim() else {
                guestRegistry.restore(guest)
                continue
            }
            _ = granary_epoll_remove(epoll, guest.epoll)
            guest.resumeOwnThread()
        }
    }

    // The host's side, on its thread.

    /// Returns the guest that an event key belongs to, or `nil` if it is not a guest's key.
    @inline(__always)
    func guest(for key: UInt64) -> EpollEventLoop? {
        let first = EpollEventLoop.firstGuestKey
        guard key > first - UInt64(guests.count), key <= first else { return nil }
        return guests[Int(first - key)]
    }

    private func admitGuests() {
        for guest in guestRegistry.admitWaiting() {
            // A guest that the watchdog detached may be back before its old slot was cleared; it must not get a second
            // one.
            let place = guests.firstIndex { $0 === guest } ?? guests.firstIndex { $0 == nil } ?? guests.count
            if place == guests.count { guests.append(guest) } else { guests[place] = guest }
            let key = EpollEventLoop.firstGuestKey - UInt64(place)
            // Level-triggered, unlike the guest's own descriptors: a round of the guest may leave events in its epoll
            // set, and the host has to see them again.
            if granary_epoll_add(epoll, guest.epoll, granary_readable, key) < 0 { detachGuests() }
        }
    }

    /// Runs a round of each guest that has work; returns whether one of them still has work.
    func runGuests() -> Bool {
        guard !guests.isEmpty else { return false }
        for place in guests.indices {
            guard let guest = guests[place], guest.isDue || guest.hasQueuedTasks else { continue }
            // The claim fails if the watchdog has detached the guest; this is where the host notices.
            if guest.claim() {
                runRound(of: guest)
            } else {
                guests[place] = nil
            }
        }
        // A guest may have queued a task for another guest whose round was already over.
        return guests.contains { guest in guest.map { $0.isDue || $0.hasQueuedTasks } ?? false }
    }

    private func runRound(of guest: EpollEventLoop) {
        guest.runningThread.store(granary_current_thread(), ordering: .relaxed)
        guest.isDue = false
        guest.loopsOnThread = loopsOnThread
        // Never waits: the host has already waited for the events of all loops together.
        guest.round(waiting: 0)
        // An unarmed timer never makes the guest's epoll set readable, and its next entry would never run.
        if !guest.needsRound { guest.armTimer() }
        guest.runningThread.store(0, ordering: .relaxed)
        if guest.isStopped {
            guestRegistry.remove(guest)
            _ = granary_epoll_remove(epoll, guest.epoll)
            return guest.resumeOwnThread()
        }
        guest.releaseClaim()
    }

    /// Ends the claim of a loop that stays a guest. Later tasks signal the host; earlier ones are in the mailbox.
    private func releaseClaim() {
        if needsRound { isDue = true }
        // The last access: from here on the watchdog may claim the loop on another thread.
        activity.store(.guest, ordering: .sequentiallyConsistent)
    }

    /// Runs work of this loop immediately if this loop and `other`, which is in a round, share the current thread.
    ///
    /// - Returns: The result of the work, or `nil` if it was not run.
    func runInline<Result>(from other: EpollEventLoop, _ work: () -> Result) -> Result? {
        let root = hostLoop ?? self
        guard other.hostLoop ?? other === root, root.isCurrent else { return nil }
        if self === root {
            guard !hasWaitingSources else { return nil }
            // In a round of the host or of one of its guests, this thread already has the host loop, so there is
            // nothing to claim.
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

    /// Detaches all guests and ends the loop.
    func endSharing() {
        guestRegistry.close()
        detachGuests()
        guests = []
        watchdog?.cancel()
        source.cancel()
    }

    // Load

    /// Whether the load of the thread matters: the loop is a guest or may have guests.
    private var mayShareThread: Bool { hostLoop != nil || mayHostGuests.load(ordering: .relaxed) }

    /// Starts to measure the load of the thread, which has begun to run rounds.
    func beginWatchingLoad() {
        guard mayShareThread else { return }
        // Dispatch may run the queue on another thread each time, and processor time is counted per thread.
        load.restart(now: granary_uptime_nanoseconds(), processor: granary_thread_nanoseconds())
        guard hostLoop == nil else { return }
        if let watchdog {
            watchdog.resume()
        } else {
            watchdog = StallWatchdog { [weak self] in self?.detachGuestsIfStalled() ?? false }
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
        case .moderate, .busy: acceptsGuestsFrom.store(now + 2 * ThreadLoad.window, ordering: .relaxed)
        case .overloaded:
            acceptsGuestsFrom.store(now + EpollEventLoop.pauseAfterOverload, ordering: .relaxed)
            detachGuests()
        }
    }

    /// How long a loop takes no guests after its thread was overloaded, in nanoseconds.
    private static let pauseAfterOverload: UInt64 = 1_000_000_000

    // The watchdog's side.

    /// Detaches all guests if the host has been in the same round for too long. Returns whether the host runs rounds at
    /// all.
    private func detachGuestsIfStalled() -> Bool {
        guard activity.load(ordering: .sequentiallyConsistent) != .parked else { return false }
        let start = roundStart.load(ordering: .relaxed)
        let now = granary_uptime_nanoseconds()
        if start != 0, now >= start + ThreadLoad.longestRound {
            acceptsGuestsFrom.store(now + EpollEventLoop.pauseAfterOverload, ordering: .relaxed)
            detachGuests()
        }
        return true
    }
}

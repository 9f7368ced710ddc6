import CLinux
import Dispatch
import Synchronization

// Several loops on one thread, while one is enough.
//
// A loop with little to do costs more than the little: its thread is woken for each event, and what goes from one loop to
// another wakes two. So a loop that has a carrier lets that run its rounds, its epoll set within the carrier's, until the
// carrier's thread is busy most of the time, or keeps it waiting; then each has its own thread again.
//
// A loop's state is touched by one thread at a time: by whoever has claimed it, which `activity` says. While it rides, that
// is the carrier, for a round or for a request; or the sentinel, which gives it its own thread back while the carrier is held
// up in a round. `isCurrent` says on which thread a loop is at work.
extension EpollEventLoop {
    // The rider's side, on its own thread.

    /// Lets the carrier run this loop from now on, if both have little to do. True if so: nothing of the loop may be touched
    /// here any more.
    func joinHost(isIdle: Bool) -> Bool {
        guard let hostLoop, isIdle || isLightlyLoaded, hostLoop.acceptsGuestsFrom.load(ordering: .relaxed) <= time
        else { return false }
        isLightlyLoaded = false
        source.suspend()
        runningThread.store(0, ordering: .relaxed)
        activity.store(Activity.guest, ordering: .sequentiallyConsistent)
        if hostLoop.guestRegistry.queue(self) {
            hostLoop.execute { hostLoop.admitGuests() }
            return true
        }
        activity.store(Activity.running, ordering: .sequentiallyConsistent)
        runningThread.store(granary_current_thread(), ordering: .relaxed)
        source.resume()
        return false
    }

    // Claims, on any thread.

    /// Makes a loop that rides and is not at work the caller's; false if it is not.
    private func claim() -> Bool {
        while true {
            let before = activity.load(ordering: .sequentiallyConsistent)
            guard before >= Activity.guest else { return false }
            let (exchanged, _) = activity.compareExchange(
                expected: before, desired: Activity.running, ordering: .sequentiallyConsistent)
            if exchanged { return true }
        }
    }

    /// Goes on with rounds of its own. The caller has claimed the loop and touches it no more.
    private func resumeOwnThread() {
        source.resume()
        queue.async { self.runRounds() }
    }

    /// Gives every rider that is not at work a thread of its own again.
    private func detachGuests() {
        for guest in guestRegistry.takeAll() {
            guard guest.claim() else {
                guestRegistry.keep(guest)
                continue
            }
            _ = granary_epoll_remove(epoll, guest.epoll)
            guest.resumeOwnThread()
        }
    }

    // The carrier's side, on its thread.

    /// Whose events a key is about, if it is a rider's.
    @inline(__always)
    func guest(for key: UInt64) -> EpollEventLoop? {
        let first = EpollEventLoop.firstGuestKey
        guard key > first - UInt64(guests.count), key <= first else { return nil }
        return guests[Int(first - key)]
    }

    private func admitGuests() {
        for guest in guestRegistry.admit() {
            // One that the sentinel has set down and that is back may still have its place.
            let place = guests.firstIndex { $0 === guest } ?? guests.firstIndex { $0 == nil } ?? guests.count
            if place == guests.count { guests.append(guest) } else { guests[place] = guest }
            let key = EpollEventLoop.firstGuestKey - UInt64(place)
            if granary_epoll_add(epoll, guest.epoll, granary_readable, key) < 0 { detachGuests() }
        }
    }

    /// Runs a round of each rider that has something to do; answers whether one still has.
    func runGuests() -> Bool {
        guard !guests.isEmpty else { return false }
        for place in guests.indices {
            guard let guest = guests[place], guest.isDue || guest.hasQueuedTasks else { continue }
            if guest.claim() {
                runRound(of: guest)
            } else {
                guests[place] = nil
            }
        }
        // A rider may also have done work for another one whose round was over.
        return guests.contains { guest in guest.map { $0.isDue || $0.hasQueuedTasks } ?? false }
    }

    private func runRound(of guest: EpollEventLoop) {
        guest.runningThread.store(granary_current_thread(), ordering: .relaxed)
        guest.isDue = false
        guest.loopsOnThread = loopsOnThread
        guest.round(waiting: 0)
        if !guest.needsRound { guest.armTimer() }
        guest.runningThread.store(0, ordering: .relaxed)
        if guest.isStopped {
            guestRegistry.remove(guest)
            _ = granary_epoll_remove(epoll, guest.epoll)
            return guest.resumeOwnThread()
        }
        guest.releaseClaim()
    }

    /// The loop rides on. Who calls from now on is heard, and who called before has left a letter.
    private func releaseClaim() {
        if needsRound { isDue = true }
        activity.store(Activity.guest, ordering: .sequentiallyConsistent)
    }

    /// Does a loop's work on behalf of another one, if both are on this thread; `nil` if not.
    func runInline<Result>(from other: EpollEventLoop, _ work: () -> Result) -> Result? {
        let root = hostLoop ?? self
        guard other.hostLoop ?? other === root, root.isCurrent else { return nil }
        if self === root {
            catchUp(with: other.time)
            return work()
        }
        guard claim() else { return nil }
        runningThread.store(granary_current_thread(), ordering: .relaxed)
        catchUp(with: other.time)
        let result = work()
        if !needsRound { armTimer() }
        runningThread.store(0, ordering: .relaxed)
        releaseClaim()
        return result
    }

    /// Ends the loop.
    func endSharing() {
        guestRegistry.close()
        detachGuests()
        guests = []
        watchdog?.cancel()
        source.cancel()
    }

    // Load

    /// Whether it is of any use to know how busy the thread is.
    private var mayShareThread: Bool { hostLoop != nil || mayHostGuests.load(ordering: .relaxed) }

    /// The thread begins to run rounds.
    func beginWatchingLoad() {
        guard mayShareThread else { return }
        load.restart(now: granary_monotonic_nanoseconds(), processor: granary_thread_nanoseconds())
        guard hostLoop == nil else { return }
        if let watchdog {
            watchdog.wake()
        } else {
            watchdog = StallWatchdog { [weak self] in self?.detachGuestsIfStalled() ?? false }
        }
    }

    /// Looks how busy the thread is, at the end of a round.
    func watchLoad() {
        guard mayShareThread else { return }
        let now = granary_monotonic_nanoseconds()
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

    /// How long nobody is taken on board after a thread was too busy, in nanoseconds.
    private static let pauseAfterOverload: UInt64 = 1_000_000_000

    // The sentinel's side.

    /// Gives all riders their own threads while their carrier is held up in a round. Answers whether it runs rounds at all.
    private func detachGuestsIfStalled() -> Bool {
        guard activity.load(ordering: .sequentiallyConsistent) != Activity.parked else { return false }
        let start = roundStart.load(ordering: .relaxed)
        let now = granary_monotonic_nanoseconds()
        if start != 0, now >= start + ThreadLoad.longestRound {
            acceptsGuestsFrom.store(now + EpollEventLoop.pauseAfterOverload, ordering: .relaxed)
            detachGuests()
        }
        return true
    }
}

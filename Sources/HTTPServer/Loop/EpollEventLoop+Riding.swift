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
    func board(isIdle: Bool) -> Bool {
        guard let carrier, isIdle || isQuiet, carrier.roomFrom.load(ordering: .relaxed) <= time else { return false }
        isQuiet = false
        source.suspend()
        runningThread.store(0, ordering: .relaxed)
        activity.store(Activity.riding, ordering: .sequentiallyConsistent)
        if carrier.boarding.queue(self) {
            carrier.execute { carrier.takeOnBoard() }
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
            guard before >= Activity.riding else { return false }
            let (exchanged, _) = activity.compareExchange(
                expected: before, desired: Activity.running, ordering: .sequentiallyConsistent)
            if exchanged { return true }
        }
    }

    /// Goes on with rounds of its own. The caller has claimed the loop and touches it no more.
    private func goAlone() {
        source.resume()
        queue.async { self.runRounds() }
    }

    /// Gives every rider that is not at work a thread of its own again.
    private func setAllDown() {
        for rider in boarding.takeAll() {
            guard rider.claim() else {
                boarding.keep(rider)
                continue
            }
            _ = granary_epoll_remove(epoll, rider.epoll)
            rider.goAlone()
        }
    }

    // The carrier's side, on its thread.

    /// Whose events a key is about, if it is a rider's.
    @inline(__always)
    func rider(of key: UInt64) -> EpollEventLoop? {
        guard key > EpollEventLoop.riderKey - UInt64(riders.count), key <= EpollEventLoop.riderKey else { return nil }
        return riders[Int(EpollEventLoop.riderKey - key)]
    }

    private func takeOnBoard() {
        for rider in boarding.admit() {
            // One that the sentinel has set down and that is back may still have its place.
            let place = riders.firstIndex { $0 === rider } ?? riders.firstIndex { $0 == nil } ?? riders.count
            if place == riders.count { riders.append(rider) } else { riders[place] = rider }
            let key = EpollEventLoop.riderKey - UInt64(place)
            if granary_epoll_add(epoll, rider.epoll, granary_readable, key) < 0 { setAllDown() }
        }
    }

    /// Runs a round of each rider that has something to do; answers whether one still has.
    func runRiders() -> Bool {
        guard !riders.isEmpty else { return false }
        for place in riders.indices {
            guard let rider = riders[place], rider.isDue || rider.hasLetters else { continue }
            if rider.claim() {
                runRound(of: rider)
            } else {
                riders[place] = nil
            }
        }
        // A rider may also have done work for another one whose round was over.
        return riders.contains { rider in rider.map { $0.isDue || $0.hasLetters } ?? false }
    }

    private func runRound(of rider: EpollEventLoop) {
        rider.runningThread.store(granary_current_thread(), ordering: .relaxed)
        rider.isDue = false
        rider.loopsOnThread = loopsOnThread
        rider.round(waiting: 0)
        if !rider.isRestless { rider.armTimer() }
        rider.runningThread.store(0, ordering: .relaxed)
        if rider.isStopped {
            boarding.remove(rider)
            _ = granary_epoll_remove(epoll, rider.epoll)
            return rider.goAlone()
        }
        rider.endClaim()
    }

    /// The loop rides on. Who calls from now on is heard, and who called before has left a letter.
    private func endClaim() {
        if isRestless { isDue = true }
        activity.store(Activity.riding, ordering: .sequentiallyConsistent)
    }

    /// Does a loop's work on behalf of another one, if both are on this thread; `nil` if not.
    func lend<Result>(to other: EpollEventLoop, _ work: () -> Result) -> Result? {
        let root = carrier ?? self
        guard other.carrier ?? other === root, root.isCurrent else { return nil }
        if self === root {
            catchUp(with: other.time)
            return work()
        }
        guard claim() else { return nil }
        runningThread.store(granary_current_thread(), ordering: .relaxed)
        catchUp(with: other.time)
        let result = work()
        if !isRestless { armTimer() }
        runningThread.store(0, ordering: .relaxed)
        endClaim()
        return result
    }

    /// Ends the loop.
    func retire() {
        boarding.close()
        setAllDown()
        riders = []
        sentinel?.cancel()
        source.cancel()
    }

    // Load

    /// Whether it is of any use to know how busy the thread is.
    private var mayShare: Bool { carrier != nil || carriesOthers.load(ordering: .relaxed) }

    /// The thread begins to run rounds.
    func beginWatchingLoad() {
        guard mayShare else { return }
        load.restart(now: granary_monotonic_nanoseconds(), processor: granary_thread_nanoseconds())
        guard carrier == nil else { return }
        if let sentinel {
            sentinel.wake()
        } else {
            sentinel = Sentinel { [weak self] in self?.lookAfterRiders() ?? false }
        }
    }

    /// Looks how busy the thread is, at the end of a round.
    func watchLoad() {
        guard mayShare else { return }
        let now = granary_monotonic_nanoseconds()
        guard load.add(roundFrom: time, to: now) else { return }
        let verdict = load.judge(
            now: now, processor: granary_thread_nanoseconds(), idle: granary_idle_nanoseconds)
        isQuiet = verdict == .roomy
        switch verdict {
        case .roomy: break
        case .moderate, .full: roomFrom.store(now + 2 * ThreadLoad.window, ordering: .relaxed)
        case .saturated:
            roomFrom.store(now + EpollEventLoop.pauseAfterSaturation, ordering: .relaxed)
            setAllDown()
        }
    }

    /// How long nobody is taken on board after a thread was too busy, in nanoseconds.
    private static let pauseAfterSaturation: UInt64 = 1_000_000_000

    // The sentinel's side.

    /// Gives all riders their own threads while their carrier is held up in a round. Answers whether it runs rounds at all.
    private func lookAfterRiders() -> Bool {
        guard activity.load(ordering: .sequentiallyConsistent) != Activity.parked else { return false }
        let start = roundStart.load(ordering: .relaxed)
        let now = granary_monotonic_nanoseconds()
        if start != 0, now >= start + ThreadLoad.longestRound {
            roomFrom.store(now + EpollEventLoop.pauseAfterSaturation, ordering: .relaxed)
            setAllDown()
        }
        return true
    }
}

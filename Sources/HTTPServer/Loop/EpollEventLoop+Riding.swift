import CLinux
import Dispatch
import Synchronization

// Several loops on one thread, while one is enough.
//
// A loop with little to do costs more than the little: its thread is woken for each event, and what goes from one loop to
// another wakes two. So a loop that has a carrier lets that run its rounds, its epoll set within the carrier's, until the
// carrier's thread is busy most of the time, or has kept it waiting; then each has its own thread again. Nothing else
// changes: a loop's state is touched by one thread at a time, and `isCurrent` says which.
extension EpollEventLoop {
    // The rider's side, on its own thread.

    /// Lets the carrier run this loop from now on, if both have little to do. True if so: nothing of the loop may be touched
    /// here any more.
    func board(isIdle: Bool) -> Bool {
        guard let carrier, riders.isEmpty, isIdle || isQuiet else { return false }
        guard carrier.roomFrom.load(ordering: .relaxed) <= time else { return false }
        isQuiet = false
        source?.suspend()
        runningThread.store(0, ordering: .relaxed)
        activity.store(Activity.riding, ordering: .sequentiallyConsistent)
        if carrier.boarding.queue(self) {
            carrier.execute { carrier.takeOnBoard() }
            return true
        }
        activity.store(Activity.running, ordering: .sequentiallyConsistent)
        runningThread.store(granary_current_thread(), ordering: .relaxed)
        source?.resume()
        return false
    }

    // The carrier's side, on its thread.

    /// Whose events a key is about, if it is a rider's.
    @inline(__always)
    func rider(of key: UInt64) -> EpollEventLoop? {
        guard key > EpollEventLoop.riderKey - UInt64(riders.count), key <= EpollEventLoop.riderKey else { return nil }
        return riders[Int(EpollEventLoop.riderKey - key)]
    }

    private func takeOnBoard() {
        for rider in boarding.takeAll() {
            let key = EpollEventLoop.riderKey - UInt64(riders.count)
            guard granary_epoll_add(epoll, rider.epoll, granary_readable, key) >= 0 else {
                rider.goAlone()
                continue
            }
            rider.isRiding = true
            // What came on the way is not told again.
            rider.isDue = true
            riders.append(rider)
        }
    }

    /// Runs a round of each rider that has something to do; answers whether one still has.
    func runRiders() -> Bool {
        guard !riders.isEmpty else { return false }
        var isRestless = false
        for rider in riders where rider.hasWork {
            rider.runCarriedRound()
            if rider.isStopped { return setAllDown() }
            if rider.hasWork { isRestless = true }
        }
        return isRestless
    }

    private func runCarriedRound() {
        runningThread.store(granary_current_thread(), ordering: .relaxed)
        activity.store(Activity.running, ordering: .sequentiallyConsistent)
        isDue = false
        round(waiting: 0)
        armTimer()
        // Who calls from now on is heard, and who called before is seen in `hasWork`.
        activity.store(Activity.riding, ordering: .sequentiallyConsistent)
        runningThread.store(0, ordering: .relaxed)
    }

    /// Gives each rider a thread of its own again; answers that there may be something to do.
    @discardableResult
    private func setAllDown() -> Bool {
        let leaving = riders
        riders = []
        for rider in leaving {
            _ = granary_epoll_remove(epoll, rider.epoll)
            rider.goAlone()
        }
        return true
    }

    /// Goes on with rounds of its own. Called on the carrier's thread, which touches the loop no more.
    private func goAlone() {
        isRiding = false
        activity.store(Activity.running, ordering: .sequentiallyConsistent)
        source?.resume()
        queue.async { self.runRounds() }
    }

    // Load

    func beginWatchingLoad() {
        load.restart(now: granary_monotonic_nanoseconds(), processor: granary_thread_nanoseconds())
    }

    /// Looks how busy the thread is, at the end of a round.
    func watchLoad() {
        guard count > 1 else { return }
        let now = granary_monotonic_nanoseconds()
        guard load.add(roundFrom: time, to: now) else { return }
        let verdict = load.judge(now: now, processor: granary_thread_nanoseconds())
        isQuiet = verdict == .roomy
        switch verdict {
        case .roomy: break
        case .moderate: roomFrom.store(now + 2 * ThreadLoad.window, ordering: .relaxed)
        case .saturated:
            roomFrom.store(now + EpollEventLoop.pauseAfterSaturation, ordering: .relaxed)
            setAllDown()
        }
    }

    /// How long nobody is taken on board after a thread was too busy, in nanoseconds.
    private static let pauseAfterSaturation: UInt64 = 1_000_000_000

    /// Ends the loop.
    func retire() {
        setAllDown()
        for rider in boarding.close() { rider.goAlone() }
        source?.cancel()
    }
}

// What loops on one thread can spare each other.
extension EpollEventLoop {
    /// Whether another loop's work may be done right here, on this one's thread: nobody else does it meanwhile.
    func sharesThread(with other: EpollEventLoop) -> Bool {
        let root = carrier ?? self
        guard other.carrier ?? other === root, root.isCurrent else { return false }
        return (self === root || isRiding) && (other === root || other.isRiding)
    }

    /// Does this loop's work on behalf of another one that shares its thread.
    func lend<Result>(to other: EpollEventLoop, _ work: () -> Result) -> Result {
        let before = runningThread.exchange(granary_current_thread(), ordering: .relaxed)
        defer { runningThread.store(before, ordering: .relaxed) }
        catchUp(with: other.time)
        return work()
    }
}

import CombineCore

extension TestScheduler {
    /// Moves the clock by `stride` and runs what falls due, and gives tasks time to react before and after each action.
    ///
    /// For code that waits in tasks, as with ``CombineCore/Scheduler/sleep(for:tolerance:options:)``: what a task
    /// schedules when it wakes up, for a moment that `stride` includes, runs too.
    nonisolated(nonsending) public func advance(by stride: SchedulerTimeType.Stride = .zero) async {
        await advance(to: now.advanced(by: stride))
    }

    /// Moves the clock to `instant` and runs what falls due, and gives tasks time to react before and after each
    /// action.
    nonisolated(nonsending) public func advance(to instant: SchedulerTimeType) async {
        repeat {
            await Turns.ofOthers()
        } while runNext(until: instant)
        stand(at: instant)
        await Turns.ofOthers()
    }

    /// Moves the clock on until nothing is scheduled any more, and gives tasks time to react before and after each
    /// action; with a timer that repeats for ever it does not return.
    nonisolated(nonsending) public func run() async {
        await Turns.ofOthers()
        while let date = nextDate {
            await advance(to: max(now, date))
        }
    }
}

/// Lets tasks of others run.
enum Turns {
    /// How many times in a row a task may be handed on to another before it has caught up.
    private static let count = 20

    /// Lets everything run that is ready: a new task comes after those that are, so one that has been waited for says
    /// that the others have had a turn.
    nonisolated(nonsending) static func ofOthers() async {
        for _ in 0..<count {
            await Task.detached { await Task.yield() }.value
        }
    }
}

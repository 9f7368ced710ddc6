import CombineCore
import HTTPModel
import Synchronization
import Telemetry

/// A part of a task that runs on the loop of a session.
///
/// It runs exactly once, also if the session ends before: a task that never continues would never release what it holds.
final class SessionJob: @unchecked Sendable {
    // Sendable: passed on from thread to thread, and used by one at a time.
    private let scheduler: SessionScheduler
    private let isLastTry: Bool
    private var work: (() -> Void)?

    init(on scheduler: SessionScheduler, isLastTry: Bool = false, _ work: @escaping () -> Void) {
        self.scheduler = scheduler
        self.isLastTry = isLastTry
        self.work = work
    }

    /// Runs the part, on the loop.
    func run() {
        scheduler.loop.assertCurrent()
        guard let work else { return }
        self.work = nil
        // Outside of a turn, too, the loop is where the session's main actor runs.
        scheduler.taskPartBegan.store(MetricCells.systemClock(), ordering: .relaxed)
        guard MainContext.current == nil else { return work() }
        MainContext.with(MainQueueSubstitute(scheduler), work)
    }

    deinit {
        // The loop of a machine that is only inspected never runs anything.
        guard let work, !isLastTry else { return }
        let rest = SessionJob(on: scheduler, isLastTry: true, work)
        scheduler.loop.execute { rest.run() }
    }
}

extension SessionScheduler {
    /// Runs a part of a task on the loop, in a later round: as a turn, or outside of one if the session has ended. May be called
    /// from any thread.
    func run(_ job: SessionJob) {
        guard loop.isCurrent else { return loop.execute { [self] in enqueue(job) } }
        enqueue(job)
    }

    /// Runs a part of a task after a delay.
    ///
    /// - Parameter delay: The delay from now, as the task has computed it from a clock that has moved since.
    func run(_ job: SessionJob, after delay: Duration) {
        let began = taskPartBegan.load(ordering: .relaxed)
        let elapsed = began == 0 ? 0 : MetricCells.systemClock() &- began
        let slack = min(.nanoseconds(Int64(clamping: elapsed)), PauseLength.mostSlack(remaining: delay))
        let milliseconds = PauseLength.milliseconds(remaining: delay, slack: slack)
        _ = schedule(after: .milliseconds(milliseconds), repeating: nil) { job.run() }
    }
}

/// The length of a pause that a task has requested.
///
/// `Task.sleep(for:)` reaches an executor as an instant of a real clock. The length from now until then is shorter than the one that
/// was requested, by the time that the task has run since it has read the clock: more on a busy machine. A session's timers follow its own
/// clock, and a pause of a second must last a second on it, also if the clock is virtual.
enum PauseLength {
    /// Returns the longest time for which a task is believed to have run since it has read the clock: 10 ms or a sixteenth of what
    /// remains. With more, a pause could become noticeably longer than it is meant to be.
    static func mostSlack(remaining: Duration) -> Duration { max(.milliseconds(10), remaining / 16) }

    /// Returns the roundest number of whole milliseconds that the task can have requested, but not less than what remains: a pause must
    /// not end before the time of its clock.
    ///
    /// - Parameters:
    ///   - remaining: The time until the end of the pause.
    ///   - slack: The time since the task may have read the clock.
    static func milliseconds(remaining: Duration, slack: Duration) -> Int64 {
        func roundedUp(_ duration: Duration) -> Int64 { (max(0, duration.wholeNanoseconds) + 999_999) / 1_000_000 }
        let (least, most) = (roundedUp(remaining), roundedUp(remaining + max(.zero, slack)))
        var unit: Int64 = 1
        // The next larger unit has a multiple between both as well.
        while unit <= most / 10, most / (unit * 10) * (unit * 10) >= least { unit *= 10 }
        return (least + unit - 1) / unit * unit
    }
}

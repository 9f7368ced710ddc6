public import CombineCore
public import Dispatch

/// A scheduler that runs an action immediately if it is called where the view model lives, and schedules it there
/// otherwise.
///
/// On a phone, view models live on the main thread. Inside a hosted machine, they live in the session: actions from a
/// turn run in that turn, and actions from elsewhere become turns. Without a session, actions run on the main queue.
public struct UIScheduler: Scheduler, Sendable {
    /// Scheduler options; this scheduler has none.
    public typealias SchedulerOptions = Never
    /// The time type of dispatch queues.
    public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType

    /// The shared instance.
    public static let shared = UIScheduler()

    private init() {}

    /// The current time.
    public var now: SchedulerTimeType { DispatchQueue.main.now }

    /// The minimum tolerance of the main queue.
    public var minimumTolerance: SchedulerTimeType.Stride { DispatchQueue.main.minimumTolerance }

    /// Runs `action` immediately if the caller is in a session's turn or on the main queue, and schedules it on the
    /// main queue otherwise.
    public func schedule(options: Never?, _ action: @escaping () -> Void) {
        if MainContext.isSubstituted || DispatchQueue.isCurrentMain {
            action()
        } else {
            DispatchQueue.main.schedule(action)
        }
    }

    /// Runs `action` after `date`, on the main queue or as a turn of the current session.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
        _ action: @escaping () -> Void
    ) {
        if let substitute = MainContext.current {
            _ = substitute.schedule(after: duration(of: now(on: substitute).distance(to: date)), action)
        } else {
            DispatchQueue.main.schedule(after: date, tolerance: tolerance, options: nil, action)
        }
    }

    /// Runs `action` after `date` and then at each `interval`, on the main queue or as turns of the current session.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: Never?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        if let substitute = MainContext.current {
            return MainTimer.start(
                on: substitute, after: duration(of: now(on: substitute).distance(to: date)),
                every: duration(of: interval), action)
        }
        return DispatchQueue.main.schedule(
            after: date, interval: interval, tolerance: tolerance, options: nil, action)
    }

    private func now(on substitute: any MainSubstitute) -> SchedulerTimeType {
        moment(at: substitute.now)
    }
}

extension UIScheduler: MainCapable {
    package var isMain: Bool { true }

    package var runsInline: Bool { true }

    package func moment(at now: Duration) -> SchedulerTimeType {
        DispatchQueue.main.moment(at: now)
    }

    package func duration(of stride: SchedulerTimeType.Stride) -> Duration {
        DispatchQueue.main.duration(of: stride)
    }
}

public import CombineCore
public import Dispatch

/// A scheduler that runs an action at once if it comes from where the view model lives, and hands it over otherwise.
///
/// On a phone that place is the main thread. Inside a hosted machine it is the session: what arrives during one of its
/// turns is run in that turn, what arrives from elsewhere becomes a turn of its own. Without a session it is the main
/// queue. It schedules nothing for later, so it cannot be given to operators that need a delay.
public struct UIScheduler: Scheduler, Sendable {
    /// There is nothing to choose.
    public typealias SchedulerOptions = Never
    /// The time is that of dispatch queues.
    public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType

    /// The one instance.
    public static let shared = UIScheduler()

    private init() {}

    /// The present moment.
    public var now: SchedulerTimeType { DispatchQueue.main.now }

    /// Zero, as for the main queue.
    public var minimumTolerance: SchedulerTimeType.Stride { DispatchQueue.main.minimumTolerance }

    /// Runs `action` before it returns, if that is possible here, and otherwise on the main queue.
    public func schedule(options: Never?, _ action: @escaping () -> Void) {
        if MainContext.current != nil || DispatchQueue.isCurrentMain {
            action()
        } else {
            DispatchQueue.main.schedule(action)
        }
    }

    /// Runs `action` on the main queue, or as a turn of the session in whose turn it is scheduled, after `date`.
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

    /// Runs `action` after `date` and then again each `interval`, where one that runs once would run.
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

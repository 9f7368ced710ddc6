public import CombineCore

extension Effect where Failure == Never {
    /// Creates an effect that sends the scheduler's time at each interval until it is cancelled by its id.
    ///
    /// The first value is sent after one interval. Values without demand are dropped. A timer replaces the running effects
    /// with its id.
    public static func timer<S: Scheduler>(
        id: AnyHashable, every interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil,
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Effect where Output == S.SchedulerTimeType {
        Effect(
            Attached { downstream in
                let subscription = TimerSubscription(
                    scheduler: scheduler, interval: interval, tolerance: tolerance, options: options, downstream)
                downstream.receive(subscription: subscription)
            }
        )
        .cancellable(id: id, cancelInFlight: true)
    }

    /// Creates an effect that sends the scheduler's time at each interval. The id is a type.
    public static func timer<S: Scheduler>(
        id: Any.Type, every interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil,
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Effect where Output == S.SchedulerTimeType {
        timer(id: ObjectIdentifier(id), every: interval, tolerance: tolerance, on: scheduler, options: options)
    }
}

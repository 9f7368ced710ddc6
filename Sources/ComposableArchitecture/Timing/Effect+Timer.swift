public import CombineCore

extension Effect where Failure == Never {
    /// Delivers the time each interval, until it is cancelled by its id.
    ///
    /// The first comes after one interval. A tick that nobody has asked for is dropped. Starting a second timer with the
    /// same id leaves the first running.
    public static func timer<S: Scheduler>(
        id: AnyHashable, every interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil,
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Effect where Output == S.SchedulerTimeType {
        Effect(
            Attached { downstream in
                let clockwork = Clockwork(
                    scheduler: scheduler, interval: interval, tolerance: tolerance, options: options, downstream)
                downstream.receive(subscription: clockwork)
            }
        )
        .cancellable(id: id)
    }

    /// Delivers the time each interval; the id is a type.
    public static func timer<S: Scheduler>(
        id: Any.Type, every interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil,
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Effect where Output == S.SchedulerTimeType {
        timer(id: ObjectIdentifier(id), every: interval, tolerance: tolerance, on: scheduler, options: options)
    }
}

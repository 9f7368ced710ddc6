public import CombineCore

extension Effect {
    /// Delays the start of the effect, and drops it if another effect with the same id starts before the delay has
    /// elapsed.
    ///
    /// The work of a dropped effect never starts. A running effect with the same id is cancelled when this one is
    /// subscribed.
    public func debounce<S: Scheduler>(
        id: AnyHashable, for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Effect {
        deferred(for: dueTime, scheduler: scheduler, options: options).cancellable(id: id, cancelInFlight: true)
    }

    /// Delays the start of the effect. The id is a type.
    public func debounce<S: Scheduler>(
        id: Any.Type, for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Effect {
        deferred(for: dueTime, scheduler: scheduler, options: options).cancellable(id: id, cancelInFlight: true)
    }

    /// Delays the start of the effect.
    public func deferred<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Effect {
        Effect.attached { downstream, scope in
            let origin = EffectOrigin.current
            Just(())
                .setFailureType(to: Failure.self)
                .delay(for: dueTime, scheduler: scheduler, options: options)
                .flatMap { self.bound(to: scope, from: origin) }
                .receive(subscriber: downstream)
        }
    }
}

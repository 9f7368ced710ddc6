public import CombineCore

extension Effect {
    /// Puts off the start of the effect, and forgets it if another one with the same id comes meanwhile.
    ///
    /// The work of an effect that was superseded is never begun. A running effect with the id is cancelled when this one
    /// is subscribed.
    public func debounce<S: Scheduler>(
        id: AnyHashable, for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Effect {
        Effect.attached { downstream, home in
            Just(())
                .setFailureType(to: Failure.self)
                .delay(for: dueTime, scheduler: scheduler, options: options)
                .flatMap { self.settled(in: home) }
                .receive(subscriber: downstream)
        }
        .cancellable(id: id, cancelInFlight: true)
    }

    /// Puts off the start of the effect; the id is a type.
    public func debounce<S: Scheduler>(
        id: Any.Type, for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Effect {
        debounce(id: ObjectIdentifier(id), for: dueTime, scheduler: scheduler, options: options)
    }

    /// Puts off the start of the effect, without an id.
    public func deferred<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Effect {
        Effect.attached { downstream, home in
            Just(())
                .setFailureType(to: Failure.self)
                .delay(for: dueTime, scheduler: scheduler, options: options)
                .flatMap { self.settled(in: home) }
                .receive(subscriber: downstream)
        }
    }
}

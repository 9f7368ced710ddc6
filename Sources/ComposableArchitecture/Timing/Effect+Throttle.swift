public import CombineCore
import Locking

extension Effect {
    /// Delivers one value, and then at most one in each interval.
    ///
    /// The id spans effects: an effect that starts cancels the one before it that is throttled with the same id, and the
    /// interval of that one applies to it. `.cancel(id:)` cancels the throttled effect. The ids belong to the store that runs
    /// the effects.
    ///
    /// - Parameters:
    ///   - id: Identifies the effects that share an interval.
    ///   - interval: The shortest time between two values.
    ///   - scheduler: The clock, on which all values are delivered, also those that need not wait.
    ///   - latest: Whether the latest or the first value of an interval is delivered at its end.
    public func throttle<S: Scheduler>(
        id: AnyHashable, for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
    ) -> Effect {
        .attached { downstream, home in
            let throttle = Throttle(id: id, interval: interval, scheduler: scheduler, latest: latest, home: home)
            receive(on: scheduler)
                .flatMap { value in throttle.effect(of: value) as Effect }
                .receive(subscriber: downstream)
        }
        .cancellable(id: ThrottledID(id: id), cancelInFlight: true)
        .cancellable(id: id)
    }

    /// Lets one value through, and then at most one in each interval; the id is a type.
    public func throttle<S: Scheduler>(
        id: Any.Type, for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
    ) -> Effect {
        throttle(id: ObjectIdentifier(id), for: interval, scheduler: scheduler, latest: latest)
    }
}

/// The ids of throttled effects. They differ from the ids that effects were given, so that a new throttled effect cancels
/// throttled effects only, and not the effect that it is a part of.
private struct ThrottledID: Hashable {
    let id: AnyHashable
}

/// The ids under which throttled values wait: not to be mixed up with those that effects were given.
private struct WaitingID: Hashable {
    let id: AnyHashable
}

/// Decides for each value whether it is delivered now, later or never.
private struct Throttle<S: Scheduler> {
    let id: AnyHashable
    let interval: S.SchedulerTimeType.Stride
    let scheduler: S
    let latest: Bool
    let home: EffectHome

    func effect<Output, Failure: Error>(of value: Output) -> Effect<Output, Failure> {
        let now = MainContext.now(of: scheduler)
        let (delay, waiting) = home.tables.withLock { tables -> (S.SchedulerTimeType.Stride?, Output) in
            guard var throttled = tables.throttled[id], let last = throttled.lastTime as? S.SchedulerTimeType,
                last.distance(to: now) < interval
            else {
                tables.throttled[id] = EffectTables.Throttled(lastTime: now, waiting: nil)
                return (nil, value)
            }
            let next = latest ? value : throttled.waiting as? Output ?? value
            throttled.waiting = next
            tables.throttled[id] = throttled
            return (now.distance(to: last.advanced(by: interval)), next)
        }
        guard let delay else { return Effect(value: value) }
        return Just(waiting)
            .setFailureType(to: Failure.self)
            .delay(for: delay, scheduler: scheduler)
            .map { value in
                deliverWaiting()
                return value
            }
            .eraseToEffect()
            .cancellable(id: WaitingID(id: id), cancelInFlight: true)
            .settled(in: home)
    }

    /// The value that waited is let through: the next interval begins.
    private func deliverWaiting() {
        let now = MainContext.now(of: scheduler)
        home.tables.withLock { $0.throttled[id] = EffectTables.Throttled(lastTime: now, waiting: nil) }
    }
}

public import CombineCore
import Locking

extension Effect {
    /// Lets one value through, and then at most one in each interval.
    ///
    /// The id spans effects: values of several effects with the same id, one after the other or at the same time, are
    /// throttled together. The table belongs to the store that runs them.
    ///
    /// - Parameters:
    ///   - id: What belongs together.
    ///   - interval: How far apart values are to be.
    ///   - scheduler: Where values are delivered, and the clock.
    ///   - latest: Whether the latest value of an interval comes through at its end, or the first.
    public func throttle<S: Scheduler>(
        id: AnyHashable, for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
    ) -> Effect {
        .attached { downstream, home in
            let throttle = Throttle(id: id, interval: interval, scheduler: scheduler, latest: latest, home: home)
            receive(on: scheduler)
                .flatMap { value in throttle.effect(of: value) as Effect }
                .receive(subscriber: downstream)
        }
    }

    /// Lets one value through, and then at most one in each interval; the id is a type.
    public func throttle<S: Scheduler>(
        id: Any.Type, for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
    ) -> Effect {
        throttle(id: ObjectIdentifier(id), for: interval, scheduler: scheduler, latest: latest)
    }
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

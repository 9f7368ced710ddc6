public import CombineCore
import Locking

extension Effect {
    /// Limits the effect to one value per interval.
    ///
    /// An interval is shared by the effects with the same id: an effect that starts cancels the throttled effect with
    /// the same id before it, and the interval continues. `.cancel(id:)` cancels the throttled effect. Ids are scoped
    /// to the store that runs the effects.
    ///
    /// - Parameters:
    ///   - id: Identifies the effects that share an interval.
    ///   - interval: The minimum time between two values.
    ///   - scheduler: The scheduler that delivers all values, including those that are not delayed.
    ///   - latest: Whether the latest or the first value of an interval is delivered at its end.
    public func throttle<S: Scheduler>(
        id: AnyHashable, for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
    ) -> Effect {
        .attached { downstream, scope in
            let throttle = Throttle(id: id, interval: interval, scheduler: scheduler, latest: latest, scope: scope)
            receive(on: scheduler)
                .flatMap { value in throttle.effect(of: value) as Effect }
                .receive(subscriber: downstream)
        }
        .cancellable(id: ThrottledID(id: id), cancelInFlight: true)
        .cancellable(id: id)
    }

    /// Limits the effect to one value per interval. The id is a type.
    public func throttle<S: Scheduler>(
        id: Any.Type, for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
    ) -> Effect {
        throttle(id: ObjectIdentifier(id), for: interval, scheduler: scheduler, latest: latest)
    }
}

/// The id of a throttled effect. A separate type, so that a new throttled effect cancels only throttled effects with
/// the same id, and not the effect that it is part of.
private struct ThrottledID: Hashable, DerivedID {
    let id: AnyHashable
}

/// The id of a delayed value. A separate type, so that it does not collide with ids of users.
private struct WaitingID: Hashable, DerivedID {
    let id: AnyHashable
}

/// Decides whether a value is delivered now, later or not at all.
private struct Throttle<S: Scheduler> {
    let id: AnyHashable
    let interval: S.SchedulerTimeType.Stride
    let scheduler: S
    let latest: Bool
    let scope: EffectScope

    func effect<Output, Failure: Error>(of value: Output) -> Effect<Output, Failure> {
        let now = MainContext.now(of: scheduler)
        let (delay, waiting) = scope.table.withLock { table -> (S.SchedulerTimeType.Stride?, Output) in
            guard var throttled = table.throttled[id], let last = throttled.lastTime as? S.SchedulerTimeType,
                last.distance(to: now) < interval
            else {
                table.throttled[id] = EffectTable.Throttled(lastTime: now, waiting: nil)
                return (nil, value)
            }
            let next = latest ? value : throttled.waiting as? Output ?? value
            throttled.waiting = next
            table.throttled[id] = throttled
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
            .bound(to: scope, from: .current)
    }

    /// Records the delivery of the delayed value, which starts the next interval.
    private func deliverWaiting() {
        let now = MainContext.now(of: scheduler)
        scope.table.withLock { $0.throttled[id] = EffectTable.Throttled(lastTime: now, waiting: nil) }
    }
}

public import Dispatch
import Locking

extension DispatchQueue: Scheduler {
    /// A time on the clock of dispatch queues, which stops while the computer sleeps.
    public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
        /// The corresponding time of Dispatch.
        public var dispatchTime: DispatchTime

        /// Creates a time from a time of Dispatch.
        public init(_ time: DispatchTime) {
            dispatchTime = time
        }

        /// Creates a time from the number of nanoseconds that ``encode(to:)`` writes.
        public init(from decoder: any Decoder) throws {
            let nanoseconds = try decoder.singleValueContainer().decode(UInt64.self)
            dispatchTime = DispatchTime(uptimeNanoseconds: nanoseconds)
        }

        /// Encodes the time as a number of nanoseconds.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(dispatchTime.uptimeNanoseconds)
        }

        /// Returns the interval from this time to `other`.
        public func distance(to other: SchedulerTimeType) -> Stride {
            // Subtracting the unsigned numbers in the wrong order would trap.
            let (from, to) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
            return to >= from
                ? .nanoseconds(Int(clamping: to - from)) : .nanoseconds(-Int(clamping: from - to))
        }

        /// Returns the time that is `n` later.
        public func advanced(by n: Stride) -> SchedulerTimeType {
            SchedulerTimeType(dispatchTime + n.timeInterval)
        }

        /// Hashes the time.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(dispatchTime.uptimeNanoseconds)
        }
    }

    /// Options for running an action.
    public struct SchedulerOptions {
        /// The quality of service of the action.
        public var qos: DispatchQoS
        /// The flags of the action's work item.
        public var flags: DispatchWorkItemFlags
        /// The group to which the action belongs.
        public var group: DispatchGroup?

        /// Creates options.
        public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil) {
            self.qos = qos
            self.flags = flags
            self.group = group
        }
    }

    /// The current time.
    public var now: SchedulerTimeType {
        SchedulerTimeType(.now())
    }

    /// Zero, which leaves the tolerance to Dispatch.
    public var minimumTolerance: SchedulerTimeType.Stride { .zero }

    /// Runs `action` on this queue as soon as possible.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = UnsafeTransfer(action)
        guard let options else { return async { work.value() } }
        async(group: options.group, qos: options.qos, flags: options.flags) { work.value() }
    }

    /// Runs `action` on this queue once, after `date`. The tolerance is ignored.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let work = UnsafeTransfer(action)
        guard let options else { return asyncAfter(deadline: date.dispatchTime) { work.value() } }
        let group = options.group
        // `asyncAfter` has no parameter for a group, so the action enters and leaves it explicitly.
        group?.enter()
        asyncAfter(deadline: date.dispatchTime, qos: options.qos, flags: options.flags) {
            work.value()
            group?.leave()
        }
    }

    /// Runs `action` on this queue after `date` and then repeatedly at `interval`, until the returned token is
    /// cancelled.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let work = UnsafeTransfer(action)
        let timer = DispatchSource.makeTimerSource(queue: self)
        timer.schedule(
            deadline: date.dispatchTime, repeating: interval.timeInterval, leeway: tolerance.timeInterval)
        timer.setEventHandler(qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) { work.value() }
        timer.activate()
        return AnyCancellable { timer.cancel() }
    }
}

extension DispatchQueue: MainCapable {
    // On Linux, `DispatchQueue.main` returns another object on each call, so identity cannot identify the main queue.
    // The queue carries a mark instead.
    package var isMain: Bool { getSpecific(key: DispatchQueue.mainMark) ?? false }

    /// Whether the calling code runs on the main queue, or on a queue that targets it.
    package static var isCurrentMain: Bool { getSpecific(key: mainMark) ?? false }

    private static let mainMark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package func moment(at now: Duration) -> SchedulerTimeType {
        // Dispatch interprets 0 as the current time. A substitute's clock may start there.
        return SchedulerTimeType(DispatchTime(uptimeNanoseconds: UInt64(max(1, now.inNanoseconds))))
    }

    package func duration(of stride: SchedulerTimeType.Stride) -> Duration {
        .nanoseconds(stride.magnitude)
    }
}

public import Dispatch
import Locking

extension DispatchQueue: Scheduler {
    /// A moment on the clock of dispatch queues, which stands still while the machine sleeps.
    public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
        /// The moment, as Dispatch has it.
        public var dispatchTime: DispatchTime

        /// Takes over a moment of Dispatch's.
        public init(_ time: DispatchTime) {
            dispatchTime = time
        }

        /// Reads the number of nanoseconds that ``encode(to:)`` writes.
        public init(from decoder: any Decoder) throws {
            let nanoseconds = try decoder.singleValueContainer().decode(UInt64.self)
            dispatchTime = DispatchTime(uptimeNanoseconds: nanoseconds)
        }

        /// Writes a number of nanoseconds.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(dispatchTime.uptimeNanoseconds)
        }

        /// How much later `other` is.
        public func distance(to other: SchedulerTimeType) -> Stride {
            let (from, to) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
            return to >= from
                ? .nanoseconds(Int(clamping: to - from)) : .nanoseconds(-Int(clamping: from - to))
        }

        /// The moment that is `n` later.
        public func advanced(by n: Stride) -> SchedulerTimeType {
            SchedulerTimeType(dispatchTime + n.timeInterval)
        }

        /// Hashes the moment.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(dispatchTime.uptimeNanoseconds)
        }
    }

    /// How an action is run.
    public struct SchedulerOptions {
        /// The quality of service of the action.
        public var qos: DispatchQoS
        /// The flags of the action's work item.
        public var flags: DispatchWorkItemFlags
        /// The group that the action belongs to.
        public var group: DispatchGroup?

        /// Collects options.
        public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil) {
            self.qos = qos
            self.flags = flags
            self.group = group
        }
    }

    /// The present moment.
    public var now: SchedulerTimeType {
        SchedulerTimeType(.now())
    }

    /// Zero: Dispatch decides.
    public var minimumTolerance: SchedulerTimeType.Stride { .zero }

    /// Runs `action` on this queue as soon as possible.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = UnsafeTransfer(action)
        guard let options else { return async { work.value() } }
        async(group: options.group, qos: options.qos, flags: options.flags) { work.value() }
    }

    /// Runs `action` on this queue once, after `date`; the tolerance is ignored.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let work = UnsafeTransfer(action)
        guard let options else { return asyncAfter(deadline: date.dispatchTime) { work.value() } }
        let group = options.group
        group?.enter()
        asyncAfter(deadline: date.dispatchTime, qos: options.qos, flags: options.flags) {
            work.value()
            group?.leave()
        }
    }

    /// Runs `action` on this queue after `date` and then again each `interval`, until the token is cancelled.
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
    // `DispatchQueue.main` is another object at each call on Linux, so identity tells nothing; the mark lies in the queue.
    package var isMain: Bool { getSpecific(key: DispatchQueue.mainMark) ?? false }

    /// Whether the calling code runs on the main queue, or on one that has the main queue as its target.
    package static var isCurrentMain: Bool { getSpecific(key: mainMark) ?? false }

    private static let mainMark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package func moment(at now: Duration) -> SchedulerTimeType {
        let (seconds, attoseconds) = now.components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        // Dispatch takes 0 for the present moment.
        return SchedulerTimeType(DispatchTime(uptimeNanoseconds: UInt64(max(1, nanoseconds))))
    }

    package func duration(of stride: SchedulerTimeType.Stride) -> Duration {
        .nanoseconds(stride.magnitude)
    }
}

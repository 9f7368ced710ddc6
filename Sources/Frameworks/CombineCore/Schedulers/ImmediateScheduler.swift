/// A scheduler without a clock, which runs every action immediately on the calling thread.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// Scheduler options; this scheduler has none.
    public typealias SchedulerOptions = Never

    /// The shared instance.
    public static let shared = ImmediateScheduler()

    /// The only time of this scheduler.
    public struct SchedulerTimeType: Strideable, Sendable {
        fileprivate init() {}

        /// The interval between two times, which is ignored.
        public struct Stride: ExpressibleByFloatLiteral, Comparable, SignedNumeric, Codable, Sendable,
            SchedulerTimeIntervalConvertible
        {
            /// The number from which the interval was created.
            public var magnitude: Int

            /// Creates an interval.
            @inlinable
            public init(_ value: Int) {
                magnitude = value
            }

            /// Creates an interval; fractions are truncated.
            @inlinable
            public init(floatLiteral value: Double) {
                self.init(Int(value))
            }

            /// Creates an interval.
            @inlinable
            public init(integerLiteral value: Int) {
                self.init(value)
            }

            /// Creates an interval, or returns nil if an `Int` cannot represent the number.
            @inlinable
            public init?<T: BinaryInteger>(exactly source: T) {
                guard let value = Int(exactly: source) else { return nil }
                self.init(value)
            }

            /// Returns the sum.
            @inlinable
            public static func + (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude + rhs.magnitude) }
            /// Returns the difference.
            @inlinable
            public static func - (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude - rhs.magnitude) }
            /// Returns the product.
            @inlinable
            public static func * (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude * rhs.magnitude) }
            /// Adds `rhs`.
            @inlinable
            public static func += (lhs: inout Stride, rhs: Stride) { lhs.magnitude += rhs.magnitude }
            /// Subtracts `rhs`.
            @inlinable
            public static func -= (lhs: inout Stride, rhs: Stride) { lhs.magnitude -= rhs.magnitude }
            /// Multiplies by `rhs`.
            @inlinable
            public static func *= (lhs: inout Stride, rhs: Stride) { lhs.magnitude *= rhs.magnitude }
            /// Returns whether `lhs` is the shorter interval.
            @inlinable
            public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

            /// Returns an empty interval for every `s`.
            @inlinable
            public static func seconds(_ s: Int) -> Stride { 0 }
            /// Returns an empty interval for every `s`.
            @inlinable
            public static func seconds(_ s: Double) -> Stride { 0 }
            /// Returns an empty interval for every `ms`.
            @inlinable
            public static func milliseconds(_ ms: Int) -> Stride { 0 }
            /// Returns an empty interval for every `us`.
            @inlinable
            public static func microseconds(_ us: Int) -> Stride { 0 }
            /// Returns an empty interval for every `ns`.
            @inlinable
            public static func nanoseconds(_ ns: Int) -> Stride { 0 }
        }

        /// Returns zero, because there is only one time.
        public func distance(to other: SchedulerTimeType) -> Stride { 0 }

        /// Returns the same time.
        public func advanced(by n: Stride) -> SchedulerTimeType { self }
    }

    /// The only time of this scheduler.
    public var now: SchedulerTimeType { SchedulerTimeType() }

    /// Zero.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs `action` before returning.
    @inlinable
    public func schedule(options: Never?, _ action: @escaping () -> Void) {
        action()
    }

    /// Runs `action` before returning.
    @inlinable
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
        _ action: @escaping () -> Void
    ) {
        action()
    }

    /// Runs `action` once, before returning.
    @inlinable
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: Never?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        action()
        return Subscriptions.empty
    }
}

/// A scheduler without a clock: it runs everything at once, on the calling thread.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// There is nothing to choose.
    public typealias SchedulerOptions = Never

    /// The one instance that is needed.
    public static let shared = ImmediateScheduler()

    /// The only moment there is.
    public struct SchedulerTimeType: Strideable, Sendable {
        fileprivate init() {}

        /// How far apart two moments are, which is ignored.
        public struct Stride: ExpressibleByFloatLiteral, Comparable, SignedNumeric, Codable, Sendable,
            SchedulerTimeIntervalConvertible
        {
            /// The number that stands for the interval.
            public var magnitude: Int

            /// Makes an interval.
            @inlinable
            public init(_ value: Int) {
                magnitude = value
            }

            /// Makes an interval; fractions are cut off.
            @inlinable
            public init(floatLiteral value: Double) {
                self.init(Int(value))
            }

            /// Makes an interval.
            @inlinable
            public init(integerLiteral value: Int) {
                self.init(value)
            }

            /// Makes an interval, if the number fits.
            @inlinable
            public init?<T: BinaryInteger>(exactly source: T) {
                guard let value = Int(exactly: source) else { return nil }
                self.init(value)
            }

            /// The sum.
            @inlinable
            public static func + (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude + rhs.magnitude) }
            /// The difference.
            @inlinable
            public static func - (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude - rhs.magnitude) }
            /// The product.
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
            /// Whether `lhs` is the shorter interval.
            @inlinable
            public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

            /// No time at all, whatever `s` says.
            @inlinable
            public static func seconds(_ s: Int) -> Stride { 0 }
            /// No time at all, whatever `s` says.
            @inlinable
            public static func seconds(_ s: Double) -> Stride { 0 }
            /// No time at all, whatever `ms` says.
            @inlinable
            public static func milliseconds(_ ms: Int) -> Stride { 0 }
            /// No time at all, whatever `us` says.
            @inlinable
            public static func microseconds(_ us: Int) -> Stride { 0 }
            /// No time at all, whatever `ns` says.
            @inlinable
            public static func nanoseconds(_ ns: Int) -> Stride { 0 }
        }

        /// Zero: there is only one moment.
        public func distance(to other: SchedulerTimeType) -> Stride { 0 }

        /// The same moment.
        public func advanced(by n: Stride) -> SchedulerTimeType { self }
    }

    /// The only moment there is.
    public var now: SchedulerTimeType { SchedulerTimeType() }

    /// Zero.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs `action` before it returns.
    @inlinable
    public func schedule(options: Never?, _ action: @escaping () -> Void) {
        action()
    }

    /// Runs `action` before it returns.
    @inlinable
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
        _ action: @escaping () -> Void
    ) {
        action()
    }

    /// Runs `action` once, before it returns.
    @inlinable
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: Never?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        action()
        return Subscriptions.empty
    }
}

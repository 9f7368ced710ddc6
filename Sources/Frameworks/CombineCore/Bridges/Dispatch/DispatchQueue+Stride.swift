public import Dispatch

extension DispatchQueue.SchedulerTimeType {
    /// The interval between two times, in nanoseconds.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
        Hashable, Codable, Sendable
    {
        private var _nanoseconds: Int

        /// The number of nanoseconds; negative for an interval into the past.
        public var magnitude: Int {
            get { _nanoseconds }
            set { _nanoseconds = newValue }
        }

        /// The corresponding interval of Dispatch.
        public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

        /// Creates an interval from an interval of Dispatch. `never` becomes the longest possible interval.
        public init(_ timeInterval: DispatchTimeInterval) {
            switch timeInterval {
            case .seconds(let count): self = .seconds(count)
            case .milliseconds(let count): self = .milliseconds(count)
            case .microseconds(let count): self = .microseconds(count)
            case .nanoseconds(let count): self = .nanoseconds(count)
            case .never: self = .nanoseconds(.max)
            @unknown default: self = .nanoseconds(.max)
            }
        }

        /// Creates an interval of `value` seconds.
        public init(floatLiteral value: Double) {
            self = .seconds(value)
        }

        /// Creates an interval of `value` seconds.
        public init(integerLiteral value: Int) {
            self = .seconds(value)
        }

        /// Creates an interval of `source` seconds, or nil if an `Int` cannot represent that number.
        public init?<T: BinaryInteger>(exactly source: T) {
            guard let count = Int(exactly: source) else { return nil }
            self = .seconds(count)
        }

        private init(nanoseconds: Int) {
            _nanoseconds = nanoseconds
        }

        /// Returns the sum.
        public static func + (lhs: Stride, rhs: Stride) -> Stride { Stride(nanoseconds: lhs.magnitude + rhs.magnitude) }
        /// Returns the difference.
        public static func - (lhs: Stride, rhs: Stride) -> Stride { Stride(nanoseconds: lhs.magnitude - rhs.magnitude) }
        /// Returns the product of the numbers of seconds, truncated to nanoseconds. It saturates.
        public static func * (lhs: Stride, rhs: Stride) -> Stride {
            let (high, low) = lhs.magnitude.multipliedFullWidth(by: rhs.magnitude)
            let unit = 1_000_000_000
            // The quotient fits if the upper half of the product is smaller than half the divisor; otherwise the
            // division would trap.
            guard abs(high) < unit / 2 - 1 else { return Stride(nanoseconds: high < 0 ? .min : .max) }
            return Stride(nanoseconds: unit.dividingFullWidth((high, low)).quotient)
        }
        /// Adds `rhs`.
        public static func += (lhs: inout Stride, rhs: Stride) { lhs = lhs + rhs }
        /// Subtracts `rhs`.
        public static func -= (lhs: inout Stride, rhs: Stride) { lhs = lhs - rhs }
        /// Multiplies the numbers of seconds.
        public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }
        /// Returns whether `lhs` is the shorter interval.
        public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

        /// Returns an interval of `s` seconds. It saturates.
        public static func seconds(_ s: Int) -> Stride { Stride(s, times: 1_000_000_000) }
        /// Returns an interval of `s` seconds, truncated to nanoseconds. It saturates.
        public static func seconds(_ s: Double) -> Stride {
            let nanoseconds = s * 1_000_000_000
            guard nanoseconds < Double(Int.max) else { return Stride(nanoseconds: .max) }
            guard nanoseconds > Double(Int.min) else { return Stride(nanoseconds: .min) }
            return Stride(nanoseconds: Int(nanoseconds))
        }
        /// Returns an interval of `ms` milliseconds. It saturates.
        public static func milliseconds(_ ms: Int) -> Stride { Stride(ms, times: 1_000_000) }
        /// Returns an interval of `us` microseconds. It saturates.
        public static func microseconds(_ us: Int) -> Stride { Stride(us, times: 1_000) }
        /// Returns an interval of `ns` nanoseconds.
        public static func nanoseconds(_ ns: Int) -> Stride { Stride(nanoseconds: ns) }

        private init(_ count: Int, times unit: Int) {
            let (product, overflow) = count.multipliedReportingOverflow(by: unit)
            _nanoseconds = overflow ? (count < 0 ? .min : .max) : product
        }
    }
}

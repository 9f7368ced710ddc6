public import Dispatch

extension DispatchQueue.SchedulerTimeType {
    /// How far apart two moments are, in nanoseconds.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
        Hashable, Codable, Sendable
    {
        private var _nanoseconds: Int

        /// The number of nanoseconds; negative for an interval back in time.
        public var magnitude: Int {
            get { _nanoseconds }
            set { _nanoseconds = newValue }
        }

        /// The interval, as Dispatch has it.
        public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

        /// Takes over an interval of Dispatch's; `never` becomes the longest there is.
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

        /// Makes an interval of `value` seconds.
        public init(floatLiteral value: Double) {
            self = .seconds(value)
        }

        /// Makes an interval of `value` seconds.
        public init(integerLiteral value: Int) {
            self = .seconds(value)
        }

        /// Makes an interval of `source` seconds; nil if an `Int` cannot hold that number.
        public init?<T: BinaryInteger>(exactly source: T) {
            guard let count = Int(exactly: source) else { return nil }
            self = .seconds(count)
        }

        private init(nanoseconds: Int) {
            _nanoseconds = nanoseconds
        }

        /// The sum.
        public static func + (lhs: Stride, rhs: Stride) -> Stride { Stride(nanoseconds: lhs.magnitude + rhs.magnitude) }
        /// The difference.
        public static func - (lhs: Stride, rhs: Stride) -> Stride { Stride(nanoseconds: lhs.magnitude - rhs.magnitude) }
        /// The product of the numbers of seconds, cut off to the nanosecond; saturates.
        public static func * (lhs: Stride, rhs: Stride) -> Stride {
            let (high, low) = lhs.magnitude.multipliedFullWidth(by: rhs.magnitude)
            let unit = 1_000_000_000
            // The quotient fits if the upper half of the product is smaller than half the divisor.
            guard abs(high) < unit / 2 - 1 else { return Stride(nanoseconds: high < 0 ? .min : .max) }
            return Stride(nanoseconds: unit.dividingFullWidth((high, low)).quotient)
        }
        /// Adds `rhs`.
        public static func += (lhs: inout Stride, rhs: Stride) { lhs = lhs + rhs }
        /// Subtracts `rhs`.
        public static func -= (lhs: inout Stride, rhs: Stride) { lhs = lhs - rhs }
        /// Multiplies the numbers of seconds.
        public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }
        /// Whether `lhs` is the shorter interval.
        public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

        /// An interval of `s` seconds; saturates.
        public static func seconds(_ s: Int) -> Stride { Stride(s, times: 1_000_000_000) }
        /// An interval of `s` seconds, to the nanosecond; saturates.
        public static func seconds(_ s: Double) -> Stride {
            let nanoseconds = s * 1_000_000_000
            guard nanoseconds < Double(Int.max) else { return Stride(nanoseconds: .max) }
            guard nanoseconds > Double(Int.min) else { return Stride(nanoseconds: .min) }
            return Stride(nanoseconds: Int(nanoseconds))
        }
        /// An interval of `ms` milliseconds; saturates.
        public static func milliseconds(_ ms: Int) -> Stride { Stride(ms, times: 1_000_000) }
        /// An interval of `us` microseconds; saturates.
        public static func microseconds(_ us: Int) -> Stride { Stride(us, times: 1_000) }
        /// An interval of `ns` nanoseconds.
        public static func nanoseconds(_ ns: Int) -> Stride { Stride(nanoseconds: ns) }

        private init(_ count: Int, times unit: Int) {
            let (product, overflow) = count.multipliedReportingOverflow(by: unit)
            _nanoseconds = overflow ? (count < 0 ? .min : .max) : product
        }
    }
}

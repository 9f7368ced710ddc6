/// A metric with values for its labels.
public struct MetricSeries: Hashable, Sendable {
    /// The metric.
    public let family: MetricFamily
    /// The values of its labels.
    public let values: [String]

    /// Creates a series. The number of values and the kind are programming errors if they do not match the family.
    init(_ family: MetricFamily, _ values: [String], _ kind: MetricFamily.Kind) {
        precondition(
            family.kind == kind && family.labels.count == values.count,
            "\(family.name) is a \(family.kind) with the labels \(family.labels), used as a \(kind) with \(values.count)"
        )
        (self.family, self.values) = (family, values)
    }
}

/// The values of metrics at one moment.
public struct MetricSnapshot: Sendable, Equatable {
    /// The value of a series.
    public enum Value: Sendable, Equatable {
        /// The value of a counter that counts events.
        case count(UInt64)
        /// The value of a gauge, or of a counter that is not a whole number.
        case level(Double)
        /// The value of a histogram.
        case distribution(Distribution)

        fileprivate mutating func add(_ other: Value) {
            switch (self, other) {
            case (.count(let left), .count(let right)): self = .count(left &+ right)
            case (.distribution(var left), .distribution(let right)):
                left.add(right)
                self = .distribution(left)
            case (.level(let left), .level(let right)): self = .level(left + right)
            default: preconditionFailure("expected values of one kind, got \(self) and \(other)")
            }
        }
    }

    /// The values by series.
    public private(set) var values: [MetricSeries: Value] = [:]

    /// Creates a snapshot without values.
    public init() {}

    mutating func add(_ value: Value, to series: MetricSeries) {
        if var sum = values[series] {
            sum.add(value)
            values[series] = sum
        } else {
            values[series] = value
        }
    }

    /// Adds the value of a gauge or of a counter, which is measured when the snapshot is made.
    public mutating func set(_ family: MetricFamily, _ labels: String..., to value: Double) {
        add(.level(value), to: MetricSeries(family, labels, family.kind))
    }

    /// Adds the values of another snapshot, series by series.
    public mutating func add(_ other: MetricSnapshot) {
        for (series, value) in other.values { add(value, to: series) }
    }
}

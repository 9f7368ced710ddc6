/// A metric: its name, its meaning and the names of its labels. The values are in cells, one for each combination of labels and
/// each thread that counts.
///
/// ```swift
/// extension MetricFamily {
///     static let inputs = MetricFamily.counter("granary_inputs", "Inputs that machines have run.", labels: "machine")
/// }
/// ```
public struct MetricFamily: Hashable, Sendable {
    /// How a metric is counted and shown.
    public enum Kind: String, Sendable {
        /// A number that only grows while the process runs.
        case counter
        /// A number that grows and shrinks.
        case gauge
        /// Durations, counted by how long they are.
        case histogram
    }

    /// The name without the suffix that the format adds: `_total`, `_bucket`, `_sum`, `_count`.
    public let name: String
    /// The meaning, as a sentence.
    public let help: String
    /// How the metric is counted.
    public let kind: Kind
    /// The names of the labels, in the order of their values. No label may identify a session, a user or a client, and each has a
    /// fixed set of values, so that the number of series is limited.
    public let labels: [String]

    /// Creates a counter. Its name ends with neither `_total` nor a unit other than a base unit.
    public static func counter(_ name: String, _ help: String, labels: String...) -> MetricFamily {
        MetricFamily(name: name, help: help, kind: .counter, labels: labels)
    }

    /// Creates a gauge.
    public static func gauge(_ name: String, _ help: String, labels: String...) -> MetricFamily {
        MetricFamily(name: name, help: help, kind: .gauge, labels: labels)
    }

    /// Creates a histogram of durations. Its name ends with `_seconds`.
    public static func histogram(_ name: String, _ help: String, labels: String...) -> MetricFamily {
        MetricFamily(name: name, help: help, kind: .histogram, labels: labels)
    }

    /// Compares names: two families with one name would be one metric.
    public static func == (left: MetricFamily, right: MetricFamily) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

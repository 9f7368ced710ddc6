/// A text format for metrics.
public enum MetricsFormat: CaseIterable, Sendable {
    /// The text format of Prometheus, version 0.0.4.
    case prometheus
    /// OpenMetrics 1.0.0.
    case openMetrics

    /// Returns the format for a scraper: OpenMetrics if `Accept` names it and does not exclude it with `q=0`.
    public init(accept: String?) {
        let ranges = (accept ?? "").lowercased().split(separator: ",")
        let isNamed = ranges.contains { range in
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let isRefused = parts.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { ("1"..."9") ~= $0 } }
            return parts.first == "application/openmetrics-text" && !isRefused
        }
        self = isNamed ? .openMetrics : .prometheus
    }

    /// The value of `Content-Type`.
    public var contentType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// Returns the values as text, sorted by name and labels.
    public func text(of snapshot: MetricSnapshot) -> String {
        var text = ""
        let families = Dictionary(grouping: snapshot.values.keys, by: \.family)
        for (family, series) in families.sorted(by: { $0.key.name < $1.key.name }) {
            let shown = self == .prometheus && family.kind == .counter ? family.name + "_total" : family.name
            text += "# HELP \(shown) \(escaped(family.help))\n# TYPE \(shown) \(family.kind.rawValue)\n"
            for series in series.sorted(by: { $0.values.lexicographicallyPrecedes($1.values) }) {
                snapshot.values[series].map { append($0, of: series, to: &text) }
            }
        }
        return self == .openMetrics ? text + "# EOF\n" : text
    }

    private func append(_ value: MetricSnapshot.Value, of series: MetricSeries, to text: inout String) {
        let family = series.family
        let labels = zip(family.labels, series.values).map { "\($0)=\"\(escaped($1, quotes: true))\"" }
        let name = family.kind == .counter ? family.name + "_total" : family.name
        switch value {
        case .count(let count): text += "\(name)\(braced(labels)) \(count)\n"
        case .level(let level): text += "\(name)\(braced(labels)) \(number(level))\n"
        case .distribution(let distribution):
            var count: UInt64 = 0
            for (index, part) in distribution.counts.enumerated() {
                count &+= part
                let isLast = index == Histogram.bounds.count
                let bound = isLast ? "+Inf" : number(Double(Histogram.bounds[index]) / 1e9)
                text += "\(name)_bucket\(braced(labels + ["le=\"\(bound)\""])) \(count)\n"
            }
            text += "\(name)_sum\(braced(labels)) \(number(Double(distribution.sum) / 1e9))\n"
            text += "\(name)_count\(braced(labels)) \(count)\n"
        }
    }

    private func braced(_ labels: [String]) -> String { labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}" }

    /// Returns a number without an exponent where it is a whole one, as people read it.
    private func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    private func escaped(_ text: String, quotes: Bool = false) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            // OpenMetrics requires it in help as well.
            case "\"" where quotes || self == .openMetrics: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

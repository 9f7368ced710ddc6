/// The media types that a client accepts, from its `Accept` field (RFC 9110 §12.5.1).
struct MediaPreference {
    /// Empty if everything is accepted.
    private let ranges: [(type: String, quality: Double)]

    /// Parses the value of `Accept`. A missing or empty field accepts everything. Parameters other than `q` are
    /// ignored.
    init(_ accept: String?) {
        guard let accept, !accept.isEmpty else {
            ranges = []
            return
        }
        ranges = accept.split(separator: ",").map { range in
            let parts = range.split(separator: ";").map { MediaPreference.trimmed($0) }
            var quality = 1.0
            for parameter in parts.dropFirst() where parameter.hasPrefix("q=") {
                quality = MediaPreference.quality(parameter.dropFirst(2)) ?? 1
            }
            return (parts.first ?? "", quality)
        }
    }

    /// Returns the quality value of a media type, from 0 (not acceptable) to 1, as given by the most specific range
    /// that matches it.
    func quality(of type: String) -> Double { weight(of: type).quality }

    /// Returns whether to send a media type instead of the default one.
    ///
    /// That is the case if the client does not accept the default, or if it names the type or its family (`text/*`)
    /// with at least the same quality. At equal quality, the default must not be named more specifically.
    func prefers(_ type: String, to other: String) -> Bool {
        let (wanted, fallback) = (weight(of: type), weight(of: other))
        guard wanted.quality > 0, fallback.quality > 0 else { return wanted.quality > 0 }
        // `*/*` alone selects the default: `curl` and scripts send it, and would hang on an event stream.
        guard wanted.precision > 0, wanted.quality >= fallback.quality else { return false }
        return wanted.quality > fallback.quality || wanted.precision >= fallback.precision
    }

    /// Returns the quality of a type and the precision of the range that determines it: 2 for the type itself, 1 for
    /// its family, 0 for `*/*`.
    private func weight(of type: String) -> (quality: Double, precision: Int) {
        if ranges.isEmpty { return (1, 0) }
        var found = (quality: 0.0, precision: -1)
        for range in ranges {
            let precision = MediaPreference.precision(of: range.type, for: type)
            // Of several that are as precise, the first one.
            if precision > found.precision { found = (range.quality, precision) }
        }
        return (found.quality, max(0, found.precision))
    }

    /// Returns the precision of a range for a type; -1 if it does not match it.
    private static func precision(of range: String, for type: String) -> Int {
        if range == type { return 2 }
        if range == "*/*" { return 0 }
        // Bytes: characters take a hundred times as long.
        let family = type.utf8.prefix { $0 != UInt8(ascii: "/") }
        let isFamily = range.utf8.count == family.count + 2 && range.utf8.starts(with: family) && range.hasSuffix("/*")
        return isFamily ? 1 : -1
    }

    /// Reads a quality value, at most 1. Returns nil for other text, such as `nan`, which `Double` reads.
    private static func quality(_ text: Substring) -> Double? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(text).map { min($0, 1) }
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { start[...$0].lowercased() } ?? ""
    }
}

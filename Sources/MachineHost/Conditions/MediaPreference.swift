/// What a client takes (RFC 9110 §12.5.1).
struct MediaPreference {
    private let ranges: [(type: String, quality: Double)]

    /// Reads the value of `Accept`; without one, or with an empty one, everything is taken. Parameters but `q` are ignored.
    init(_ accept: String?) {
        let named = (accept ?? "").split(separator: ",").map { range in
            let parts = range.split(separator: ";").map { MediaPreference.trimmed($0) }
            var quality = 1.0
            for parameter in parts.dropFirst() where parameter.hasPrefix("q=") {
                quality = Double(parameter.dropFirst(2)) ?? 1
            }
            return (parts.first ?? "", quality)
        }
        ranges = named.isEmpty ? [("*/*", 1)] : named
    }

    /// How much a type is wanted, from 0 for not at all to 1: what the most precise range that covers it says.
    func quality(of type: String) -> Double {
        let family = type.prefix { $0 != "/" } + "/*"
        for candidate in [type, String(family), "*/*"] {
            if let range = ranges.first(where: { $0.type == candidate }) { return range.quality }
        }
        return 0
    }

    /// Whether a type is named as such, and wanted at least as much as the other.
    func prefers(_ type: String, to other: String) -> Bool {
        ranges.contains { $0.type == type && $0.quality > 0 } && quality(of: type) >= quality(of: other)
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { start[...$0].lowercased() } ?? ""
    }
}

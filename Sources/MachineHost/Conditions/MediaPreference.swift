/// What a client takes (RFC 9110 §12.5.1).
struct MediaPreference {
    private let ranges: [(type: String, quality: Double)]

    /// Reads the value of `Accept`; without one, or with an empty one, everything is accepted. Parameters but `q` are ignored.
    init(_ accept: String?) {
        let named = (accept ?? "").split(separator: ",").map { range in
            let parts = range.split(separator: ";").map { MediaPreference.trimmed($0) }
            var quality = 1.0
            for parameter in parts.dropFirst() where parameter.hasPrefix("q=") {
                quality = Double(parameter.dropFirst(2)).map { min(max($0, 0), 1) } ?? 1
            }
            return (parts.first ?? "", quality)
        }
        ranges = named.isEmpty ? [("*/*", 1)] : named
    }

    /// How much a type is wanted, from 0 for not at all to 1: what the most precise range that covers it says.
    func quality(of type: String) -> Double { weight(of: type).quality }

    /// Whether a type is to be sent rather than the other one, which is the default. It is if the client refuses the other,
    /// or asks for the type by its name or its family (`text/*`) and wants it at least as much; if it wants both as much, the
    /// other must not be named more precisely.
    func prefers(_ type: String, to other: String) -> Bool {
        let (wanted, fallback) = (weight(of: type), weight(of: other))
        guard wanted.quality > 0, fallback.quality > 0 else { return wanted.quality > 0 }
        guard wanted.precision > 0, wanted.quality >= fallback.quality else { return false }
        return wanted.quality > fallback.quality || wanted.precision >= fallback.precision
    }

    /// The quality of a type, and how precise the range is that says so: 2 for the type itself, 1 for its family, 0 for all.
    private func weight(of type: String) -> (quality: Double, precision: Int) {
        let family = type.prefix { $0 != "/" } + "/*"
        for (precision, candidate) in [(2, type), (1, String(family)), (0, "*/*")] {
            if let range = ranges.first(where: { $0.type == candidate }) { return (range.quality, precision) }
        }
        return (0, 0)
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { start[...$0].lowercased() } ?? ""
    }
}

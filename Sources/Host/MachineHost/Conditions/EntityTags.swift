/// The parsed value of `If-Match` or `If-None-Match` (RFC 9110 §13.1).
enum EntityTags: Equatable {
    /// `*`.
    case any
    case list([Tag])

    struct Tag: Equatable {
        let opaque: String
        let isWeak: Bool
    }

    /// Parses a field value. Returns nil if it is neither `*` nor a list of quoted entity tags.
    init?(_ text: String) {
        if text == "*" {
            self = .any
            return
        }
        var tags: [Tag] = []
        var rest = Substring(text)
        while true {
            // Empty list elements are allowed (RFC 9110 §5.6.1), so any number of commas may precede a tag.
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
            guard !rest.isEmpty else { break }
            let isWeak = rest.hasPrefix("W/")
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == "\"" else { return nil }
            rest = rest.dropFirst()
            guard let end = rest.firstIndex(of: "\"") else { return nil }
            tags.append(Tag(opaque: String(rest[..<end]), isWeak: isWeak))
            rest = rest[rest.index(after: end)...].drop { $0 == " " || $0 == "\t" }
            guard rest.isEmpty || rest.first == "," else { return nil }
        }
        // A list of commas only is not a condition that could ever hold or fail: treat it as malformed.
        guard !tags.isEmpty else { return nil }
        self = .list(tags)
    }

    /// Returns whether the list contains one of some tags as a strong tag (RFC 9110 §8.8.3.2).
    func matchesStrongly(_ known: [String]) -> Bool {
        switch self {
        case .any: true
        case .list(let tags): tags.contains { !$0.isWeak && known.contains($0.opaque) }
        }
    }

    /// Returns whether the list contains one of some tags, weak or strong.
    func matchesWeakly(_ known: [String]) -> Bool {
        switch self {
        case .any: true
        case .list(let tags): tags.contains { known.contains($0.opaque) }
        }
    }
}

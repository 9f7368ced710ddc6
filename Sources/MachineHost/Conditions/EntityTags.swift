/// The value of `If-Match` or `If-None-Match` (RFC 9110 §13.1).
enum EntityTags: Equatable {
    /// `*`.
    case any
    /// A list; weak ones are marked.
    case list([Tag])

    struct Tag: Equatable {
        let opaque: String
        let isWeak: Bool
    }

    /// Reads a field's value; nil if it is neither a star nor a list of tags in quotes.
    init?(_ text: String) {
        if text == "*" {
            self = .any
            return
        }
        var tags: [Tag] = []
        var rest = Substring(text)
        while true {
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
        guard !tags.isEmpty else { return nil }
        self = .list(tags)
    }

    /// Whether a version is named, where a weak tag does not count (RFC 9110 §8.8.3.2).
    func matchesStrongly(_ version: UInt64) -> Bool {
        switch self {
        case .any: true
        case .list(let tags): tags.contains { !$0.isWeak && $0.opaque == String(version) }
        }
    }

    /// Whether a version is named, weakly or not.
    func matchesWeakly(_ version: UInt64) -> Bool {
        switch self {
        case .any: true
        case .list(let tags): tags.contains { $0.opaque == String(version) }
        }
    }
}

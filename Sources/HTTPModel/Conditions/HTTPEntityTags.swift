/// What `If-Match` or `If-None-Match` asks about (RFC 9110 §13.1).
public enum HTTPEntityTags: Hashable, Sendable {
    /// `*`: whatever there is.
    case any
    /// One of these.
    case tags([HTTPEntityTag])

    /// Reads the field of that name, its lines put together; `nil` if there is none. From the first thing that is no tag on
    /// nothing is read, so that a broken list names less than was meant, never more.
    public init?(_ name: HTTPFieldName, in fields: HTTPFields) {
        let lines = fields.values(name)
        guard !lines.isEmpty else { return nil }
        if lines == ["*"] {
            self = .any
        } else {
            self = .tags(lines.flatMap(HTTPEntityTags.read))
        }
    }

    /// Whether one of them stands for the same bytes.
    public func matchesStrongly(_ tag: HTTPEntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0.matchesStrongly(tag) }
        }
    }

    /// Whether one of them stands for the same meaning.
    public func matchesWeakly(_ tag: HTTPEntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0.matchesWeakly(tag) }
        }
    }

    private static func read(_ line: String) -> [HTTPEntityTag] {
        var tags: [HTTPEntityTag] = []
        var rest = Substring(line)
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
            guard !rest.isEmpty, let tag = HTTPEntityTag(takenFrom: &rest) else { return tags }
            rest = rest.drop { $0 == " " || $0 == "\t" }
            guard rest.isEmpty || rest.first == "," else { return tags }
            tags.append(tag)
        }
    }
}

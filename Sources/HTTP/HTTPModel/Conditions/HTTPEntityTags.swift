/// The value of `If-Match` or `If-None-Match` (RFC 9110 §13.1).
public enum HTTPEntityTags: Hashable, Sendable {
    /// `*`: any representation.
    case any
    /// A list of tags.
    case tags([HTTPEntityTag])

    /// Parses the field with the given name, combining its lines. Returns `nil` if none exists. Parsing of a line
    /// stops at the first invalid element, so that a malformed list names fewer tags than intended, never more.
    public init?(_ name: HTTPFieldName, in fields: HTTPFields) {
        let lines = fields.values(name)
        guard !lines.isEmpty else { return nil }
        if lines == ["*"] {
            self = .any
        } else {
            self = .tags(lines.flatMap(HTTPEntityTags.read))
        }
    }

    /// Returns whether one of the tags identifies the same bytes.
    public func matchesStrongly(_ tag: HTTPEntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0.matchesStrongly(tag) }
        }
    }

    /// Returns whether one of the tags identifies an equivalent representation.
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

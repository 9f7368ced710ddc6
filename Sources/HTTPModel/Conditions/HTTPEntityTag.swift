/// An entity tag (RFC 9110 §8.8.3): what tells one representation of a target from another.
public struct HTTPEntityTag: Hashable, Sendable {
    /// The characters between the quotes.
    public let opaque: String
    /// Whether it stands for all representations that mean the same, and not for the bytes.
    public let isWeak: Bool

    /// A tag of these characters; `nil` if one of them is none that a tag may have: a quote, a space, a control.
    public init?(_ opaque: String, isWeak: Bool = false) {
        guard opaque.utf8.allSatisfy(HTTPEntityTag.isTagByte) else { return nil }
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// Reads a field's value that is one tag, quotes and all; `nil` if it is none.
    public init?(fieldValue text: String) {
        var rest = Substring(text)
        guard let tag = HTTPEntityTag(takenFrom: &rest), rest.isEmpty else { return nil }
        self = tag
    }

    /// Takes a tag off the front of a text; `nil`, and the text in no certain state, if there is none.
    init?(takenFrom text: inout Substring) {
        let isWeak = text.utf8.starts(with: "W/".utf8)
        if isWeak { text = text.dropFirst(2) }
        guard text.utf8.first == UInt8(ascii: "\"") else { return nil }
        text = text.dropFirst()
        guard let end = text.utf8.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        self.init(String(text[..<end]), isWeak: isWeak)
        text = text[text.utf8.index(after: end)...]
    }

    /// The tag as a field has it.
    public var fieldValue: HTTPFieldValue { HTTPFieldValue(unchecked: isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"") }

    /// Whether both stand for the same bytes (RFC 9110 §8.8.3.2).
    public func matchesStrongly(_ other: HTTPEntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Whether both stand for the same meaning.
    public func matchesWeakly(_ other: HTTPEntityTag) -> Bool { opaque == other.opaque }

    private static func isTagByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != UInt8(ascii: "\"") && byte != 0x7F
    }
}

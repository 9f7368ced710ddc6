/// An entity tag (RFC 9110 §8.8.3): identifies a representation of a target.
public struct HTTPEntityTag: Hashable, Sendable {
    /// The characters between the quotes.
    public let opaque: String
    /// Whether the tag identifies equivalent representations rather than identical bytes.
    public let isWeak: Bool

    /// Creates a tag, or returns `nil` if the text contains a quote, a space or a control character.
    public init?(_ opaque: String, isWeak: Bool = false) {
        guard opaque.utf8.allSatisfy(HTTPEntityTag.isTagByte) else { return nil }
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// Creates a strong tag that depends on the content only.
    package init(fingerprintOf content: [UInt8]) {
        // FNV-1a: not cryptographic. The content belongs to the server, so an attacker cannot choose colliding content.
        let hash = content.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
        opaque = String(hash, radix: 36)
        isWeak = false
    }

    /// Creates a tag from a field value with its quotes, or returns `nil` if the value is not a single tag.
    public init?(fieldValue text: String) {
        var rest = Substring(text)
        guard let tag = HTTPEntityTag(takenFrom: &rest), rest.isEmpty else { return nil }
        self = tag
    }

    /// Parses a tag at the beginning of a text and removes it. Returns `nil`, with the text in an unspecified state, if
    /// there is none.
    init?(takenFrom text: inout Substring) {
        let isWeak = text.utf8.starts(with: "W/".utf8)
        if isWeak { text = text.dropFirst(2) }
        guard text.utf8.first == UInt8(ascii: "\"") else { return nil }
        text = text.dropFirst()
        guard let end = text.utf8.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        self.init(String(text[..<end]), isWeak: isWeak)
        text = text[text.utf8.index(after: end)...]
    }

    /// The tag as a field value.
    public var fieldValue: HTTPFieldValue { HTTPFieldValue(unchecked: isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"") }

    /// Returns whether both tags identify the same bytes (RFC 9110 §8.8.3.2).
    public func matchesStrongly(_ other: HTTPEntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Returns whether both tags identify equivalent representations.
    public func matchesWeakly(_ other: HTTPEntityTag) -> Bool { opaque == other.opaque }

    private static func isTagByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != UInt8(ascii: "\"") && byte != 0x7F
    }
}

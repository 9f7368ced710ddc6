/// Parses a `Link` field link by link.
struct LinkScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ value: String) {
        bytes = Array(value.utf8)
    }

    /// Returns the next link, or `nil` at the end and at a syntax error.
    mutating func nextLink() -> LinkHeader.Link? {
        skip { $0 == UInt8(ascii: ",") || Self.isSpace($0) }
        guard take(UInt8(ascii: "<")) else { return nil }
        let target = takeText { $0 != UInt8(ascii: ">") }
        guard take(UInt8(ascii: ">")) else { return nil }
        var link = LinkHeader.Link(target: target, relations: [], isAnchoredElsewhere: false)
        var hasRelation = false
        while let (name, value) = nextParameter() {
            switch name {
            // Only the first `rel` counts (RFC 8288 §3.3).
            case "rel" where !hasRelation:
                hasRelation = true
                link.relations = value.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
            case "anchor": link.isAnchoredElsewhere = true
            default: break
            }
        }
        return link
    }

    /// Returns the next parameter of the current link, with its name in lower case.
    private mutating func nextParameter() -> (name: String, value: String)? {
        skip(Self.isSpace)
        guard take(UInt8(ascii: ";")) else { return nil }
        skip { Self.isSpace($0) || $0 == UInt8(ascii: ";") }
        let name = takeText(Self.isParameterText)
        skip(Self.isSpace)
        guard take(UInt8(ascii: "=")) else { return (name.lowercased(), "") }
        skip(Self.isSpace)
        let value = take(UInt8(ascii: "\"")) ? restOfQuotedString() : takeText(Self.isParameterText)
        return (name.lowercased(), value)
    }

    private mutating func restOfQuotedString() -> String {
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
            text.append(bytes[position])
            position += 1
        }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func takeText(_ belongs: (UInt8) -> Bool) -> String {
        let start = position
        skip(belongs)
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skip(_ belongs: (UInt8) -> Bool) {
        while position < bytes.count, belongs(bytes[position]) { position += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    private static func isParameterText(_ byte: UInt8) -> Bool {
        !isSpace(byte) && byte != UInt8(ascii: ";") && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "=")
    }
}

/// A value in a text whose syntax has been checked.
package struct JSONValue {
    /// The text.
    @usableFromInline package let bytes: [UInt8]
    @usableFromInline package let range: Range<Int>

    package init(bytes: [UInt8], range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    package enum Kind {
        case null, boolean, number, string, array, object

        /// The kind with its article, for messages: `an object`.
        package var name: String {
            switch self {
            case .null: "null"
            case .boolean: "a boolean"
            case .number: "a number"
            case .string: "a string"
            case .array: "an array"
            case .object: "an object"
            }
        }
    }

    /// The kind, which the first byte determines.
    @inlinable
    package var kind: Kind {
        switch bytes[range.lowerBound] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): .string
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    @inlinable
    package var slice: ArraySlice<UInt8> { bytes[range] }

    /// The elements of an array; nil for other kinds.
    package var elements: [JSONValue]? {
        guard kind == .array else { return nil }
        var found: [JSONValue] = []
        var scanner = JSONScanner(bytes, at: range.lowerBound)
        guard (try? scanner.elements { found.append(JSONValue(bytes: bytes, range: $0)) }) != nil else { return nil }
        return found
    }

    /// Returns the member of an object with a name; nil if none exists. If the name is repeated, the last member is
    /// used.
    package func member(_ name: String) -> JSONValue? {
        guard kind == .object else { return nil }
        var found: JSONValue?
        var scanner = JSONScanner(bytes, at: range.lowerBound)
        try? scanner.members { key, value in
            if JSONValue(bytes: bytes, range: key).string == name { found = JSONValue(bytes: bytes, range: value) }
        }
        return found
    }

    /// The text of a string; nil for other kinds.
    package var string: String? {
        guard kind == .string else { return nil }
        let content = bytes[(range.lowerBound + 1)..<(range.upperBound - 1)]
        guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
        return JSONValue.unescaped(content)
    }

    /// The text of a key, which in JSON5 may be an identifier.
    package var keyText: String {
        if let string { return string }
        return JSONValue.unescaped(slice)
    }

    // Only called with valid text, so the escapes of JSON5 need no flag: they do not occur in JSON.
    private static func unescaped(_ content: ArraySlice<UInt8>) -> String {
        var units: [UInt16] = []
        var text = ""
        var rest = content
        func flush() {
            text += String(decoding: units, as: UTF16.self)
            units.removeAll()
        }
        while let slash = rest.firstIndex(of: UInt8(ascii: "\\")) {
            if slash > rest.startIndex {
                flush()
                text += String(decoding: rest[..<slash], as: UTF8.self)
            }
            let escaped = rest[slash + 1]
            rest = rest[(slash + 2)...]
            switch escaped {
            case UInt8(ascii: "u"):
                units.append(UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0xFFFD)
                rest = rest.dropFirst(4)
            case UInt8(ascii: "b"): units.append(0x08)
            case UInt8(ascii: "f"): units.append(0x0C)
            case UInt8(ascii: "n"): units.append(0x0A)
            case UInt8(ascii: "r"): units.append(0x0D)
            case UInt8(ascii: "t"): units.append(0x09)
            case UInt8(ascii: "v"): units.append(0x0B)
            case UInt8(ascii: "0"): units.append(0)
            case UInt8(ascii: "x"):
                units.append(UInt16(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0xFFFD)
                rest = rest.dropFirst(2)
            case 0x0D where rest.first == 0x0A: rest = rest.dropFirst()
            case 0x0A, 0x0D: break
            case 0x80...: rest = content[(slash + 1)...]
            default: units.append(UInt16(escaped))
            }
        }
        flush()
        return text + String(decoding: rest, as: UTF8.self)
    }
}

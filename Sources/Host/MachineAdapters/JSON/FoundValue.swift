import JSONText

/// Describes JSON values in messages, briefly regardless of their size.
package enum FoundValue {
    private static let maxLength = 40

    /// Returns the description of a value: `the string "green"`, `the number 1.5`, `an object`.
    package static func description(of json: ArraySlice<UInt8>) -> String {
        switch json.first {
        case UInt8(ascii: "\""):
            let text = JSONValue(bytes: Array(json), range: 0..<json.count).string ?? ""
            return "the string \(quoted(text))"
        case UInt8(ascii: "{"): return "an object"
        case UInt8(ascii: "["): return "an array"
        case UInt8(ascii: "t"): return "the boolean true"
        case UInt8(ascii: "f"): return "the boolean false"
        case UInt8(ascii: "n"): return "null"
        default:
            let isLong = json.count > maxLength
            return "the number \(String(decoding: json.prefix(maxLength), as: UTF8.self))\(isLong ? "…" : "")"
        }
    }

    /// Returns a text in quotes with JSON escapes, shortened.
    static func quoted(_ text: String) -> String {
        JSONWriter.quoted(text.count > maxLength ? text.prefix(maxLength - 1) + "…" : text)
    }

    /// Returns the first texts in quotes, separated by commas.
    static func list(_ texts: [String]) -> String {
        let shown = texts.prefix(12).map(quoted).joined(separator: ", ")
        return texts.count > 12 ? "\(shown) and \(texts.count - 12) more" : shown
    }
}

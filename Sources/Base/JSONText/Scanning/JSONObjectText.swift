/// Splits the text of JSON objects and arrays, one level deep: for tests that compare what clients receive.
package enum JSONObjectText {
    /// Returns the members in order, each value as text; nil if the text is not a JSON object.
    package static func members(of text: String) -> [(name: String, value: String)]? {
        guard let object = value(of: text), object.kind == .object else { return nil }
        var members: [(name: String, value: String)] = []
        var scanner = JSONScanner(object.bytes, at: object.range.lowerBound)
        try? scanner.members { key, value in
            let name = JSONValue(bytes: object.bytes, range: key).string ?? ""
            members.append((name, String(decoding: object.bytes[value], as: UTF8.self)))
        }
        return members
    }

    /// Returns the elements of an array, each as text; nil if the text is not a JSON array.
    package static func elements(of text: String) -> [String]? {
        value(of: text)?.elements?.map { String(decoding: $0.slice, as: UTF8.self) }
    }

    private static func value(of text: String) -> JSONValue? {
        let bytes = Array(text.utf8)
        return (try? JSONScanner.document(bytes, nestingLimit: 512)).map { JSONValue(bytes: bytes, range: $0) }
    }
}

/// JSON objects as text, taken apart one level deep: for tests, which compare what clients see.
package enum JSONObjectText {
    /// The members in order, each value as it is written; nil if the text is no JSON object.
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

    /// The elements of an array, each as it is written; nil if the text is no JSON array.
    package static func elements(of text: String) -> [String]? {
        value(of: text)?.elements?.map { String(decoding: $0.slice, as: UTF8.self) }
    }

    private static func value(of text: String) -> JSONValue? {
        let bytes = Array(text.utf8)
        return (try? JSONScanner.document(bytes, nestingLimit: 512)).map { JSONValue(bytes: bytes, range: $0) }
    }
}

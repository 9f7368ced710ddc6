import JSONText

/// Reads the messages of the Durable Streams protocol.
enum DurableText {
    /// Returns the messages of an array, without their ids: `change {"count":8}`. Nothing for another text.
    static func messages(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        guard let range = try? JSONScanner.document(bytes, nestingLimit: 64) else { return [] }
        return (JSONValue(bytes: bytes, range: range).elements ?? []).map { message in
            let event = message.member("event")?.string ?? "?"
            let data = message.member("data").map { String(decoding: $0.slice, as: UTF8.self) } ?? "?"
            return "\(event) \(data)"
        }
    }
}

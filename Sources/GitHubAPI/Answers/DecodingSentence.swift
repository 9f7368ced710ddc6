import JSONText

/// What a decoder found wrong, as the end of a sentence.
enum DecodingSentence {
    static func describe(_ error: any Error) -> String {
        switch error {
        case let error as UnsafeLink: "a repository's page has the scheme \"\(ForeignText.shown(error.scheme))\""
        case DecodingError.keyNotFound(let key, let context):
            "\(place(context.codingPath + [key])) is missing"
        case DecodingError.valueNotFound(let type, let context):
            "\(place(context.codingPath)) is null, expected \(name(type))"
        case DecodingError.typeMismatch(let type, let context):
            "\(place(context.codingPath)) is of another type, expected \(name(type))"
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            "\(place(context.codingPath)) has no valid value"
        default: "it is no JSON"
        }
    }

    /// The place as a JSON Pointer (RFC 6901).
    private static func place(_ path: [any CodingKey]) -> String {
        path.isEmpty
            ? "the document"
            : path.map { "/" + ($0.intValue.map(String.init) ?? JSONPointer.segment($0.stringValue)) }.joined()
    }

    private static func name(_ type: any Any.Type) -> String {
        switch type {
        case is [String: Any].Type: "an object"
        case is [Any].Type: "an array"
        default: "\(type)"
        }
    }
}

import JSONText

/// Describes a decoding error, as the end of a sentence.
enum DecodingErrorText {
    static func describe(_ error: any Error) -> String {
        switch error {
        case let error as UnsafeLink:
            "expected a repository URL with http or https, got the scheme \"\(UntrustedText.shown(error.scheme))\""
        case DecodingError.keyNotFound(let key, let context):
            "\(place(context.codingPath + [key])) is missing"
        case DecodingError.valueNotFound(let type, let context):
            "\(place(context.codingPath)): expected \(name(type)), got null"
        case DecodingError.typeMismatch(let type, let context):
            "\(place(context.codingPath)): expected \(name(type)), got another type"
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            "the value of \(place(context.codingPath)) is invalid"
        default: "it is not JSON"
        }
    }

    /// Returns the path as a JSON Pointer (RFC 6901).
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

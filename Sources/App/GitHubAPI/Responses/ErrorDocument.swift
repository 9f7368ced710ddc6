import Foundation

/// The body of GitHub's error responses.
struct ErrorDocument: Decodable {
    struct Detail: Decodable {
        var message: String?
        var field: String?
        var code: String?

        // GitHub sends objects for most errors, and bare strings for some.
        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                message = text
                return
            }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            message = try container.decodeIfPresent(String.self, forKey: .message)
            field = try container.decodeIfPresent(String.self, forKey: .field)
            code = try container.decodeIfPresent(String.self, forKey: .code)
        }

        /// The detail's message, or the field and GitHub's error code if there is no message.
        var text: String? { message ?? code.map { "\(field ?? "a field"): \($0)" } }

        enum CodingKeys: CodingKey { case message, field, code }
    }

    var message: String
    var errors: [Detail]?

    /// Decodes a body. Returns `nil` if it has a different structure.
    static func read(_ body: Data) -> ErrorDocument? {
        try? JSONDecoder().decode(Self.self, from: body)
    }

    /// The message and its details on one line, truncated.
    var text: String {
        let details = (errors ?? []).compactMap(\.text)
        return UntrustedText.shown(([message] + details).joined(separator: " – "))
    }
}

import Foundation

/// What GitHub writes with an error status.
struct RefusalDocument: Decodable {
    struct Detail: Decodable {
        var message: String?
        var field: String?
        var code: String?

        /// GitHub sends objects, and sometimes bare strings.
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

        /// The detail's own words, or else the field and GitHub's code for what is wrong with it.
        var text: String? { message ?? code.map { "\(field ?? "a field"): \($0)" } }

        enum CodingKeys: CodingKey { case message, field, code }
    }

    var message: String
    var errors: [Detail]?

    /// Reads a body, `nil` if it is of no such form.
    static func read(_ body: Data) -> RefusalDocument? {
        try? JSONDecoder().decode(Self.self, from: body)
    }

    /// The message and its details on one line, cut short.
    var text: String {
        let details = (errors ?? []).compactMap(\.text)
        return ForeignText.shown(([message] + details).joined(separator: " – "))
    }
}

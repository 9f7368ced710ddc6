/// A secret that no description, dump or reflection shows.
struct AccessToken: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The field value that carries it. The only way to the secret.
    let authorization: String

    /// `nil` if the text cannot be a token: it is empty or has characters that a header field must not have.
    init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        authorization = "Bearer \(text)"
    }

    var description: String { "(hidden)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

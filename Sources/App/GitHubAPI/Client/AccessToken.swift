/// An access token that does not appear in descriptions, dumps or mirrors.
struct AccessToken: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value of the `Authorization` field. This is the only access to the token.
    let authorization: String

    /// Creates a token. Returns `nil` if the text is empty or contains characters other than visible ASCII.
    init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        authorization = "Bearer \(text)"
    }

    var description: String { "(hidden)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

import HTTPModel

/// Idempotency keys. Who knows the key of a new session can get the session, so a key cannot be guessed.
enum RandomKey {
    /// Returns the base64url of words.
    static func text(words: [UInt64]) -> String {
        Base64URL.text(of: words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } })
    }
}

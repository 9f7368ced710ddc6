/// The authority of a request: `:authority` or `Host` (RFC 9113 §8.3.1).
enum Authority {
    /// Returns whether two authorities are equal, ignoring case.
    static func matches(_ one: String, _ other: String) -> Bool {
        one == other || one.lowercased() == other.lowercased()
    }
}

import COpenSSL

/// Why something about TLS did not work.
public struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What kind of reason it is.
    public enum Reason: Hashable, Sendable {
        /// A certificate cannot be read, or is none that can be used.
        case certificate
        /// A private key cannot be read: it is none, too weak, or locked with a password.
        case privateKey
        /// A private key belongs to another certificate.
        case keyMismatch
        /// A configuration that makes no sense.
        case configuration
        /// The two sides found no common ground, or the peer broke the rules while they looked for it.
        case handshake
        /// The peer broke the rules later on.
        case record
        /// The peer went away without saying so: what came last may not be the last that it sent.
        case truncated
        /// The library failed.
        case system
    }

    /// The kind of reason.
    public let reason: Reason
    /// What was expected and what came, as a sentence. Holds no secret.
    public let description: String

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }

    /// As ``init(_:_:)``, with what the library has to say about it behind a colon.
    static func fromLibrary(_ reason: Reason, _ description: String) -> TLSError {
        guard let detail = takeLibraryError() else { return TLSError(reason, description + ".") }
        return TLSError(reason, "\(description): \(detail).")
    }

    /// The first error that the library has noted on this thread; all are forgotten.
    private static func takeLibraryError() -> String? {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let text = ERR_reason_error_string(code) else { return nil }
        return String(cString: text)
    }
}

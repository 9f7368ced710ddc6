import COpenSSL

/// An error of TLS.
public struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Reason: Hashable, Sendable {
        /// A certificate cannot be parsed or used.
        case certificate
        /// A private key cannot be parsed, is too weak, or is encrypted.
        case privateKey
        /// A private key does not match the certificate.
        case keyMismatch
        /// The configuration is invalid.
        case configuration
        /// The handshake failed: there are no common parameters, or the peer violated the protocol.
        case handshake
        /// The peer violated the protocol after the handshake.
        case record
        /// The library failed.
        case system
    }

    /// The kind of error.
    public let reason: Reason
    /// The expected and the received value, as a sentence. Contains no secrets.
    public let description: String

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }

    /// Creates an error whose description ends with the library's reason.
    static func fromLibrary(_ reason: Reason, _ description: String) -> TLSError {
        guard let detail = takeLibraryError() else { return TLSError(reason, description + ".") }
        return TLSError(reason, "\(description): \(detail).")
    }

    /// Returns the first error in the library's queue of this thread, and clears the queue.
    private static func takeLibraryError() -> String? {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let text = ERR_reason_error_string(code) else { return nil }
        return String(cString: text)
    }
}

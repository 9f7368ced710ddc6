import COpenSSL
import Glibc

/// A key of HMAC-SHA-256 (RFC 2104). The library erases it when it is freed.
package struct MACKey: Sendable {
    /// The number of bytes of a code.
    static let byteCount = Digest.byteCount

    /// A computation that has seen the key and nothing else; each code starts with a duplicate of it.
    private let started: LibraryObject

    package init(_ key: SecretBytes) {
        let context = key.withBytes { granary_hmac_begin($0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
        // Not a precondition: an unchecked build would continue without a key.
        guard let context else { abort() }
        started = LibraryObject(context) { EVP_MAC_CTX_free($0) }
    }

    package func code(of bytes: UnsafeRawBufferPointer) -> Digest {
        Digest { write(codeOf: bytes, to: $0) }
    }

    package func code(of bytes: [UInt8]) -> Digest { bytes.withUnsafeBytes { code(of: $0) } }

    /// Returns a key of 32 bytes for one purpose, from which the other keys cannot be computed.
    package func derived(for purpose: String) -> SecretBytes {
        SecretBytes(count: MACKey.byteCount) { secret in
            Array(purpose.utf8).withUnsafeBytes { write(codeOf: $0, to: secret) }
        }
    }

    private func write(codeOf bytes: UnsafeRawBufferPointer, to code: UnsafeMutableRawBufferPointer) {
        guard let context = EVP_MAC_CTX_dup(started.pointer) else { abort() }
        defer { EVP_MAC_CTX_free(context) }
        var count = 0
        let isWritten =
            EVP_MAC_update(context, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count) == 1
            && EVP_MAC_final(context, code.bindMemory(to: UInt8.self).baseAddress, &count, code.count) == 1
        // Not a precondition: an unchecked build would continue with a code of zeros.
        if !isWritten || count != MACKey.byteCount { abort() }
    }
}

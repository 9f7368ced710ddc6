import COpenSSL
import Glibc

/// 32 bytes of SHA-256 or HMAC-SHA-256. Compared in constant time.
package struct Digest: Hashable, Sendable {
    /// The number of bytes.
    package static let byteCount = 32

    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Creates a digest from its bytes. Returns nil unless there are 32.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Digest.byteCount else { return nil }
        self.init { $0.copyBytes(from: bytes) }
    }

    /// Creates a digest whose bytes a closure writes.
    init(writtenBy body: (UnsafeMutableRawBufferPointer) -> Void) {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &words, body)
        self.words = words
    }

    package static func sha256(_ bytes: UnsafeRawBufferPointer) -> Digest {
        Digest { digest in
            let isDigested = EVP_Digest(
                bytes.baseAddress, bytes.count, digest.bindMemory(to: UInt8.self).baseAddress, nil, EVP_sha256(), nil)
            // Not a precondition: an unchecked build would continue with a digest that all bytes share.
            if isDigested != 1 { abort() }
        }
    }

    package var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

    /// The first 16 bytes, as a number.
    var upperHalf: UInt128 { UInt128(UInt64(bigEndian: words.0)) << 64 | UInt128(UInt64(bigEndian: words.1)) }

    /// Returns whether both are the same, in constant time.
    package static func == (left: Digest, right: Digest) -> Bool {
        let difference = (left.words.0 ^ right.words.0) | (left.words.1 ^ right.words.1)
        return difference | (left.words.2 ^ right.words.2) | (left.words.3 ^ right.words.3) == 0
    }

    /// Hashes a part of the digest, whose bits are all random.
    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

/// Computes SHA-256 digests without an allocation for each. Confined to its owner.
final class DigestFunction {
    private let algorithm: OpaquePointer
    private let context: OpaquePointer

    init() {
        // Fetched once: a call with `EVP_sha256()` searches the library's providers each time.
        guard let algorithm = EVP_MD_fetch(nil, "SHA256", nil), let context = EVP_MD_CTX_new() else { abort() }
        self.algorithm = algorithm
        self.context = context
    }

    deinit {
        EVP_MD_CTX_free(context)
        EVP_MD_free(algorithm)
    }

    func digest(of bytes: UnsafeRawBufferPointer) -> Digest {
        Digest { digest in
            let isDigested =
                EVP_DigestInit_ex2(context, algorithm, nil) == 1
                && EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
                && EVP_DigestFinal_ex(context, digest.bindMemory(to: UInt8.self).baseAddress, nil) == 1
            // Not a precondition: an unchecked build would continue with a digest that all bytes share.
            if !isDigested { abort() }
        }
    }
}

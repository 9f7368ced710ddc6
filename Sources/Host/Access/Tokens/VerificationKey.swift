import COpenSSL

/// A key that verifies the signatures of tokens.
package struct VerificationKey: Sendable {
    package enum Kind: String, Sendable {
        case rsa = "RSA"
        case p256 = "P-256"
        case ed25519 = "Ed25519"
        case secret = "oct"
    }

    private enum Material: Sendable {
        case `public`(LibraryObject)
        case secret(MACKey)
    }

    /// The size of RSA keys in bits: at least as NIST SP 800-57 requires, at most so that a verification is cheap.
    static let rsaBits = 2048...8192
    /// The minimum number of bytes of a secret (RFC 7518 §3.2).
    static let leastSecretBytes = 32

    /// The key id; nil if the key has none, and is tried for all tokens.
    package let id: String?
    package let kind: Kind
    /// The only algorithm that the key is for; nil for all algorithms of its kind.
    package let algorithm: TokenAlgorithm?
    private let material: Material
    /// Identifies the material.
    private let fingerprint: [UInt8]

    /// Creates a key from a secret.
    ///
    /// - Throws: If it has fewer than 32 bytes.
    package init(id: String?, secret: SecretBytes, algorithm: TokenAlgorithm? = nil) throws(AccessConfigurationError) {
        guard secret.count >= VerificationKey.leastSecretBytes else {
            throw AccessConfigurationError(
                "Expected a secret of at least \(VerificationKey.leastSecretBytes) bytes, got \(secret.count) bytes.")
        }
        self.id = id
        self.algorithm = algorithm
        kind = .secret
        let key = MACKey(secret)
        material = .secret(key)
        fingerprint = key.code(of: Array("granary credential key".utf8)).bytes
    }

    /// Creates a key from a public key of the library.
    ///
    /// - Throws: If it is of another kind, or too small or too large.
    init(id: String?, publicKey: LibraryObject, algorithm: TokenAlgorithm? = nil) throws(AccessConfigurationError) {
        let pointer = publicKey.pointer
        let type = EVP_PKEY_get_base_id(pointer)
        if type == EVP_PKEY_RSA {
            let bits = Int(EVP_PKEY_get_bits(pointer))
            guard VerificationKey.rsaBits.contains(bits) else {
                throw AccessConfigurationError(
                    "Expected an RSA key of \(VerificationKey.rsaBits.lowerBound) to \(VerificationKey.rsaBits.upperBound) "
                        + "bits, got \(bits) bits.")
            }
            kind = .rsa
        } else if type == EVP_PKEY_ED25519 {
            kind = .ed25519
        } else if granary_is_p256(pointer) == 1 {
            kind = .p256
        } else {
            throw AccessConfigurationError(
                "Expected a key of RSA, the curve P-256 or Ed25519, got another kind of key.")
        }
        self.id = id
        self.algorithm = algorithm
        material = .public(publicKey)
        var encoded = [UInt8](repeating: 0, count: max(0, Int(i2d_PUBKEY(pointer, nil))))
        encoded.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            _ = i2d_PUBKEY(pointer, &start)
        }
        fingerprint = encoded
    }

    /// Returns what identifies the key among those of all issuers. A key with another id or algorithm accepts other tokens.
    func credentialKey(of issuer: TokenIssuer) -> CredentialKey {
        CredentialKey(
            Array(issuer.name.utf8), id.map { [1] + Array($0.utf8) } ?? [], Array((algorithm?.rawValue ?? "").utf8),
            fingerprint)
    }

    package func accepts(_ algorithm: TokenAlgorithm) -> Bool {
        kind == algorithm.keyKind && (self.algorithm == nil || self.algorithm == algorithm)
    }

    /// Returns whether the key has made a signature of a message. False for an algorithm that the key does not accept.
    package func isValid(
        _ signature: [UInt8], of message: UnsafeRawBufferPointer, _ algorithm: TokenAlgorithm
    ) -> Bool {
        guard accepts(algorithm) else { return false }
        switch material {
        case .secret(let key):
            return Digest(signature).map { $0 == key.code(of: message) } ?? false
        case .public(let key):
            switch algorithm {
            case .es256:
                guard let signature = VerificationKey.derSignature(of: signature) else { return false }
                return verify(signature, message, key, hashes: true)
            case .edDSA: return signature.count == 64 && verify(signature, message, key, hashes: false)
            case .rs256, .ps256:
                // An RSA signature is exactly as long as the modulus (RFC 8017 §8.1.2, §8.2.2).
                guard signature.count == Int(EVP_PKEY_get_size(key.pointer)) else { return false }
                return verify(signature, message, key, hashes: true, isPSS: algorithm == .ps256)
            case .hs256: return false
            }
        }
    }

    private func verify(
        _ signature: [UInt8], _ message: UnsafeRawBufferPointer, _ key: LibraryObject, hashes: Bool, isPSS: Bool = false
    ) -> Bool {
        let message = message.bindMemory(to: UInt8.self)
        return granary_verify(
            key.pointer, hashes ? 1 : 0, isPSS ? 1 : 0, signature, signature.count, message.baseAddress, message.count)
            == 1
    }

    /// Returns the form of an ECDSA signature that the library reads; nil unless there are two numbers of 32 bytes that are
    /// not zero (RFC 7518 §3.4).
    private static func derSignature(of signature: [UInt8]) -> [UInt8]? {
        guard signature.count == 64 else { return nil }
        let numbers = [signature.prefix(32), signature.suffix(32)]
        // Some libraries have accepted a signature of zeros for every message. This one does not; it is not relied on.
        guard numbers.allSatisfy({ $0.contains { $0 != 0 } }) else { return nil }
        return DERWriter.sequence(numbers.flatMap(DERWriter.integer))
    }
}

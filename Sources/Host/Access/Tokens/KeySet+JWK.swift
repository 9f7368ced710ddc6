import COpenSSL
import HTTPModel
import JSONText

extension KeySet {
    /// Creates the keys of a JWK set (RFC 7517 §5), or of a single JWK.
    ///
    /// Keys of unknown kinds, for encryption, or with invalid members are skipped, as the RFC requires.
    ///
    /// - Parameters:
    ///   - json: The text.
    ///   - allowsSecrets: Whether keys of HMAC are used. False for a set from a URL: it is public.
    /// - Throws: If it is not a JWK set, or has no usable key.
    package init(jwkSet json: [UInt8], allowsSecrets: Bool) throws(AccessConfigurationError) {
        let set: UniqueObject
        do throws(UniqueObject.Mismatch) {
            set = try UniqueObject(json)
        } catch {
            throw AccessConfigurationError("Expected a JWK set, which is a JSON object without repeated members.")
        }
        guard let members = set["keys"] else {
            // A single key.
            try self.init([JWK(set, allowsSecrets: allowsSecrets).key()])
            return
        }
        guard let elements = members.elements else {
            throw AccessConfigurationError("Expected an array as \"keys\" of a JWK set, got \(members.kind.name).")
        }
        var keys: [VerificationKey] = []
        var skipped: [String] = []
        for (index, element) in elements.enumerated() {
            do throws(AccessConfigurationError) {
                guard let object = try? UniqueObject(element) else {
                    throw AccessConfigurationError("Expected an object.")
                }
                keys.append(try JWK(object, allowsSecrets: allowsSecrets).key())
            } catch {
                skipped.append("Key \(index + 1): \(error.description)")
            }
        }
        try self.init(keys, skipped: skipped)
    }
}

/// One JSON Web Key (RFC 7517 §4, RFC 7518 §6, RFC 8037 §2).
private struct JWK {
    private let members: UniqueObject
    private let allowsSecrets: Bool

    init(_ members: UniqueObject, allowsSecrets: Bool) {
        self.members = members
        self.allowsSecrets = allowsSecrets
    }

    func key() throws(AccessConfigurationError) -> VerificationKey {
        if let use = members["use"], use.string != "sig" {
            throw AccessConfigurationError("Expected a key with \"use\":\"sig\", got another use.")
        }
        if let operations = members["key_ops"]?.elements, !operations.contains(where: { $0.string == "verify" }) {
            throw AccessConfigurationError("Expected a key with \"verify\" in its \"key_ops\", got other operations.")
        }
        if members["kid"] != nil, members.string("kid") == nil {
            throw AccessConfigurationError("Expected a string as \"kid\", got another kind of value.")
        }
        let key = try material()
        if let algorithm = key.algorithm, algorithm.keyKind != key.kind {
            throw AccessConfigurationError(
                "Expected an algorithm for a key of \(key.kind.rawValue), got another \"alg\".")
        }
        return key
    }

    private func material() throws(AccessConfigurationError) -> VerificationKey {
        let (id, algorithm) = (members.string("kid"), try algorithm())
        switch (members.string("kty"), members.string("crv")) {
        case ("oct", _):
            guard allowsSecrets else {
                throw AccessConfigurationError("Expected a public key, got a secret, which this source cannot keep.")
            }
            var secret = try bytes("k")
            return try VerificationKey(id: id, secret: SecretBytes(moving: &secret), algorithm: algorithm)
        case ("RSA", _):
            return try VerificationKey(id: id, publicKey: try publicKey(rsa()), algorithm: algorithm)
        case ("EC", "P-256"):
            return try VerificationKey(id: id, publicKey: try publicKey(ellipticCurve()), algorithm: algorithm)
        case ("OKP", "Ed25519"):
            let point = try bytes("x", count: 32)
            return try VerificationKey(id: id, publicKey: try publicKey(ed25519(point)), algorithm: algorithm)
        default:
            throw AccessConfigurationError(
                "Expected a key of RSA, the curve P-256, Ed25519 or oct, got another kind of key.")
        }
    }

    private func algorithm() throws(AccessConfigurationError) -> TokenAlgorithm? {
        guard members["alg"] != nil else { return nil }
        guard let algorithm = members.string("alg").flatMap(TokenAlgorithm.init) else {
            let known = TokenAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw AccessConfigurationError("Expected one of \(known) as \"alg\", got another algorithm.")
        }
        return algorithm
    }

    private func bytes(_ name: String, count: Int? = nil) throws(AccessConfigurationError) -> [UInt8] {
        // Private members are not read, but a set that is published by mistake has to be noticed.
        if members.string("kty") != "oct", members["d"] != nil {
            throw AccessConfigurationError("Expected a public key, got a private key.")
        }
        guard let bytes = members.string(name).flatMap({ Base64URL.bytes(of: $0.utf8) }), !bytes.isEmpty else {
            throw AccessConfigurationError("Expected base64url without padding as \"\(name)\".")
        }
        if let count, bytes.count != count {
            throw AccessConfigurationError("Expected \(count) bytes as \"\(name)\", got \(bytes.count).")
        }
        return bytes
    }

    // The keys are passed to the library as SubjectPublicKeyInfo (RFC 5280 §4.1.2.7), whose parser validates them.

    private func rsa() throws(AccessConfigurationError) -> [UInt8] {
        let (modulus, exponent) = (try bytes("n"), try bytes("e"))
        guard let last = exponent.last, last & 1 == 1, exponent.count <= 8, exponent.count > 1 || last > 1 else {
            throw AccessConfigurationError("Expected an odd number from 3 to 2^64 as \"e\".")
        }
        let key = DERWriter.sequence(DERWriter.integer(modulus) + DERWriter.integer(exponent))
        let algorithm: [UInt8] = [
            0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
        ]
        return DERWriter.sequence(algorithm + DERWriter.bitString(key))
    }

    private func ellipticCurve() throws(AccessConfigurationError) -> [UInt8] {
        let point = [0x04] + (try bytes("x", count: 32)) + (try bytes("y", count: 32))
        let algorithm: [UInt8] = [
            0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D,
            0x03,
            0x01, 0x07,
        ]
        return DERWriter.sequence(algorithm + DERWriter.bitString(point))
    }

    private func ed25519(_ point: [UInt8]) -> [UInt8] {
        DERWriter.sequence([0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70] + DERWriter.bitString(point))
    }

    private func publicKey(_ info: [UInt8]) throws(AccessConfigurationError) -> LibraryObject {
        let pointer = info.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return d2i_PUBKEY(nil, &next, bytes.count)
        }
        guard let pointer else {
            ERR_clear_error()
            throw AccessConfigurationError(
                "Expected a point of the curve or a modulus, got numbers that are not a key.")
        }
        return LibraryObject(pointer) { EVP_PKEY_free($0) }
    }
}

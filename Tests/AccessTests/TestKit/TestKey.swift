import Access
import COpenSSL
import Testing

/// A key pair that signs tokens in tests.
final class TestKey {
    private let pointer: OpaquePointer
    let algorithm: TokenAlgorithm

    init(_ algorithm: TokenAlgorithm, rsaBits: UInt32 = 2048) throws {
        self.algorithm = algorithm
        switch algorithm {
        case .es256: pointer = try #require(granary_generate_ec_key())
        case .rs256, .ps256: pointer = try #require(granary_generate_rsa_key(rsaBits))
        case .edDSA:
            let seed = SecretBytes.random().withBytes { Array($0) }
            pointer = try #require(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count))
        case .hs256: throw TestFailure("a secret is not a key pair")
        }
    }

    deinit { EVP_PKEY_free(pointer) }

    /// The public key in PEM.
    var pem: [UInt8] {
        get throws { try written { PEM_write_bio_PUBKEY($0, pointer) } }
    }

    /// The private key in PEM.
    var privatePEM: [UInt8] {
        get throws { try written { PEM_write_bio_PrivateKey($0, pointer, nil, nil, 0, nil, nil) } }
    }

    var keySet: KeySet {
        get throws { try KeySet(pem: pem) }
    }

    /// Returns the signature in the form of a token.
    func signature(of message: [UInt8]) throws -> [UInt8] {
        let signature = try librarySignature(of: message)
        return algorithm == .es256 ? try TestKey.numbers(of: signature) : signature
    }

    /// Returns the signature in the form of the library: for ECDSA, in DER.
    func librarySignature(of message: [UInt8]) throws -> [UInt8] {
        let context = try #require(EVP_MD_CTX_new())
        defer { EVP_MD_CTX_free(context) }
        var parameters: OpaquePointer?
        let digest = algorithm == .edDSA ? nil : EVP_sha256()
        #expect(EVP_DigestSignInit(context, &parameters, digest, nil, pointer) == 1)
        if algorithm == .ps256 {
            #expect(EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1)
            #expect(EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1)
        }
        var signature = [UInt8](repeating: 0, count: 1024)
        var count = signature.count
        #expect(EVP_DigestSign(context, &signature, &count, message, message.count) == 1)
        return Array(signature.prefix(count))
    }

    private static func numbers(of signature: [UInt8]) throws -> [UInt8] {
        let parsed = signature.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return d2i_ECDSA_SIG(nil, &next, bytes.count)
        }
        let pair = try #require(parsed)
        defer { ECDSA_SIG_free(pair) }
        var numbers = [UInt8](repeating: 0, count: 64)
        numbers.withUnsafeMutableBufferPointer { bytes in
            BN_bn2binpad(ECDSA_SIG_get0_r(pair), bytes.baseAddress, 32)
            BN_bn2binpad(ECDSA_SIG_get0_s(pair), bytes.baseAddress.map { $0 + 32 }, 32)
        }
        return numbers
    }

    private func written(_ write: (OpaquePointer) -> Int32) throws -> [UInt8] {
        let memory = try #require(BIO_new(BIO_s_mem()))
        defer { BIO_free(memory) }
        #expect(write(memory) == 1)
        var bytes: UnsafeMutablePointer<CChar>?
        let count = granary_bio_contents(memory, &bytes)
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}

struct TestFailure: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}

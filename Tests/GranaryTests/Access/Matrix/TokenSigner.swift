import Access
import COpenSSL
import HTTPModel
import HTTPServerTesting
import Testing

/// Signs tokens of one issuer with one algorithm.
final class TokenSigner: Sendable {
    private enum Key {
        case secret([UInt8])
        case pair(UInt)
    }

    let algorithm: TokenAlgorithm
    private let key: Key

    /// The issuers of all algorithms. Created once: an RSA key takes a while.
    static let all: [TokenAlgorithm: TokenSigner] = {
        let rsa = granary_generate_rsa_key(2048)
        return [
            .rs256: TokenSigner(.rs256, rsa), .ps256: TokenSigner(.ps256, rsa),
            .es256: TokenSigner(.es256, granary_generate_ec_key()),
            .edDSA: TokenSigner(
                .edDSA, EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, [UInt8](repeating: 5, count: 32), 32)),
            .hs256: TokenSigner(.hs256, secret: [UInt8](repeating: 9, count: 32)),
        ]
    }()

    /// The key is never released, because it lives as long as the process.
    init(_ algorithm: TokenAlgorithm, _ pair: OpaquePointer?) {
        self.algorithm = algorithm
        key = .pair(UInt(bitPattern: pair))
    }

    init(_ algorithm: TokenAlgorithm, secret: [UInt8]) {
        self.algorithm = algorithm
        key = .secret(secret)
    }

    /// The issuer.
    var issuer: String { "https://\(algorithm.rawValue.lowercased()).example" }

    /// The file with the issuer's keys: a PEM public key, or a JWK with the secret.
    var keyFile: String {
        get throws {
            switch key {
            case .secret(let secret): return "{\"kty\":\"oct\",\"k\":\"\(Base64URL.text(of: secret))\"}"
            case .pair(let pointer):
                let memory = BIO_new(BIO_s_mem())
                defer { BIO_free(memory) }
                #expect(PEM_write_bio_PUBKEY(memory, OpaquePointer(bitPattern: pointer)) == 1)
                var bytes: UnsafeMutablePointer<CChar>?
                let count = granary_bio_contents(memory, &bytes)
                return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
            }
        }
    }

    /// Returns the claims of a token that is valid until a time.
    func claims(_ subject: String, until seconds: Int64 = 4_102_444_800) -> String {
        "{\"iss\":\"\(issuer)\",\"aud\":\"granary\",\"sub\":\"\(subject)\",\"exp\":\(seconds)}"
    }

    /// Returns a token of a subject.
    func token(_ subject: String, until seconds: Int64 = 4_102_444_800) -> String {
        token(claims: claims(subject, until: seconds))
    }

    /// Returns a token with any claims and any header.
    func token(claims: String, header: String? = nil) -> String {
        TokenSigner.text(header ?? "{\"alg\":\"\(algorithm.rawValue)\"}", claims) { signature(of: $0) }
    }

    /// Returns the text of a token with any signature.
    static func text(_ header: String, _ claims: String, _ sign: ([UInt8]) -> [UInt8]) -> String {
        let signed = Base64URL.text(of: header.utf8) + "." + Base64URL.text(of: claims.utf8)
        return signed + "." + Base64URL.text(of: sign(Array(signed.utf8)))
    }

    private func signature(of message: [UInt8]) -> [UInt8] {
        switch key {
        case .secret(let secret): return MACKey(SecretBytes(copying: secret)).code(of: message).bytes
        case .pair(let pointer):
            let context = EVP_MD_CTX_new()
            defer { EVP_MD_CTX_free(context) }
            var parameters: OpaquePointer?
            let digest = algorithm == .edDSA ? nil : EVP_sha256()
            EVP_DigestSignInit(context, &parameters, digest, nil, OpaquePointer(bitPattern: pointer))
            if algorithm == .ps256 {
                EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING)
                EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST)
            }
            var signature = [UInt8](repeating: 0, count: 512)
            var count = signature.count
            #expect(EVP_DigestSign(context, &signature, &count, message, message.count) == 1)
            return algorithm == .es256 ? TokenSigner.numbers(of: signature, count) : Array(signature.prefix(count))
        }
    }

    /// Returns the two numbers of an ECDSA signature (RFC 7518 §3.4).
    private static func numbers(of signature: [UInt8], _ count: Int) -> [UInt8] {
        let pair = signature.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return d2i_ECDSA_SIG(nil, &next, count)
        }
        defer { ECDSA_SIG_free(pair) }
        var numbers = [UInt8](repeating: 0, count: 64)
        numbers.withUnsafeMutableBufferPointer { bytes in
            BN_bn2binpad(ECDSA_SIG_get0_r(pair), bytes.baseAddress, 32)
            BN_bn2binpad(ECDSA_SIG_get0_s(pair), bytes.baseAddress.map { $0 + 32 }, 32)
        }
        return numbers
    }
}

import Access
import HTTPModel

/// Writes tokens, valid and invalid ones.
enum TestToken {
    static let issuer = "https://issuer.example"
    static let audience = "granary"
    static let now = UnixTime(seconds: 1_800_000_000)
    static let secret = Array("a secret of at least thirty-two bytes".utf8)

    static let claims =
        #"{"iss":"https://issuer.example","aud":"granary","sub":"ada","exp":1800000300,"role":"editor"}"#

    static func text(_ header: String, _ claims: String, signature: ([UInt8]) throws -> [UInt8]) rethrows -> String {
        let signed = Base64URL.text(of: header.utf8) + "." + Base64URL.text(of: claims.utf8)
        return signed + "." + Base64URL.text(of: try signature(Array(signed.utf8)))
    }

    /// Returns a token with an HMAC.
    static func signed(
        _ claims: String = TestToken.claims, header: String = #"{"alg":"HS256"}"#, secret: [UInt8] = TestToken.secret
    ) -> String {
        text(header, claims) { MACKey(SecretBytes(copying: secret)).code(of: $0).bytes }
    }

    /// Returns a token that a key pair has signed.
    static func signed(_ claims: String = TestToken.claims, header: String? = nil, by key: TestKey) throws -> String {
        try text(header ?? "{\"alg\":\"\(key.algorithm.rawValue)\"}", claims) { try key.signature(of: $0) }
    }

    static func verifier(
        _ algorithms: Set<TokenAlgorithm> = [.hs256], keys: KeySet? = nil, types: Set<String> = [],
        change: (inout TokenIssuer) -> Void = { _ in }
    ) throws -> TokenVerifier {
        let keys = try keys ?? KeySet([VerificationKey(id: nil, secret: SecretBytes(copying: secret))])
        var issuer = try TokenIssuer(
            name: issuer, audiences: [audience], algorithms: algorithms, keys: keys, types: types)
        change(&issuer)
        var verifier = try TokenVerifier([issuer])
        verifier.skew = .zero
        return verifier
    }
}

extension TokenVerifier {
    func principal(of text: String, at now: UnixTime = TestToken.now) throws(CredentialRejection) -> Principal {
        let bytes = Array(text.utf8)
        do {
            return try bytes.withUnsafeBytes { try verify($0, at: now) }
        } catch let rejection as CredentialRejection {
            throw rejection
        } catch {
            throw .byHost("unexpected error: \(error)")
        }
    }

    /// Returns the reason why a token is rejected; nil if it is accepted.
    func rejection(of text: String, at now: UnixTime = TestToken.now) -> CredentialRejection? {
        do throws(CredentialRejection) {
            _ = try principal(of: text, at: now)
            return nil
        } catch {
            return error
        }
    }
}

/// Returns the error that a closure throws; nil if it throws none.
func failure(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return "\(error)"
    }
}

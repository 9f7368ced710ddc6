import HTTPModel
import Testing

@testable import Access

/// The examples of RFC 7515, RFC 7519 and RFC 8037.
@Suite struct TokenVectorTests {
    private static let claims =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    private static let hs256 = (
        token: "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(claims).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        key:
            #"{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}"#
    )
    private static let rs256 = (
        token: "eyJhbGciOiJSUzI1NiJ9.\(claims)."
            + "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1"
            + "dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDw"
            + "usC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw",
        key: #"{"kty":"RSA","e":"AQAB","n":""#
            + "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCg"
            + "NMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665x"
            + "smtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"
            + #""}"#
    )
    private static let es256 = (
        token: "eyJhbGciOiJFUzI1NiJ9.\(claims)."
            + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
        key: #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
            + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#
    )
    private static let edDSA = (
        token: "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
            + "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
        key: #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#
    )

    private func isValid(_ token: String, _ key: String) throws -> Bool {
        let keys = try KeySet(jwkSet: Array(key.utf8), allowsSecrets: true)
        return try Array(token.utf8).withUnsafeBytes { text in
            let token = try SignedToken(text)
            let message = UnsafeRawBufferPointer(rebasing: text.prefix(token.signedCount))
            return keys.keys[0].isValid(token.signature, of: message, token.algorithm)
        }
    }

    @Test(arguments: [hs256, rs256, es256, edDSA])
    func `the signatures of the examples are valid`(token: String, key: String) throws {
        #expect(try isValid(token, key))
    }

    @Test(arguments: [hs256, rs256, es256, edDSA])
    func `no signature is valid after a change of one of its bytes or of the message`(token: String, key: String) throws
    {
        let parts = token.split(separator: ".").map(String.init)
        let signature = try #require(Base64URL.bytes(of: parts[2].utf8))
        for index in stride(from: 0, to: signature.count, by: 7) {
            var forged = signature
            forged[index] ^= 1
            #expect(try !isValid("\(parts[0]).\(parts[1]).\(Base64URL.text(of: forged))", key))
        }
        for count in [0, 1, signature.count - 1] {
            #expect(try !isValid("\(parts[0]).\(parts[1]).\(Base64URL.text(of: signature.prefix(count)))", key))
        }
        #expect(try !isValid("\(parts[0]).\(parts[1]).\(Base64URL.text(of: signature + [0]))", key))
        #expect(try !isValid("\(parts[0]).AAAA\(parts[1]).\(parts[2])", key))
    }

    @Test(arguments: [hs256, rs256, es256])
    func `the claims of the examples identify joe until they expire`(token: String, key: String) throws {
        let keys = try KeySet(jwkSet: Array(key.utf8), allowsSecrets: true)
        var issuer = try TokenIssuer(name: "joe", audiences: [], algorithms: [.hs256, .rs256, .es256], keys: keys)
        issuer.idClaim = "iss"
        var verifier = try TokenVerifier([issuer])
        verifier.skew = .zero
        let principal = try verifier.principal(of: token, at: UnixTime(seconds: 1_300_819_379))
        #expect(principal.id == "joe" && principal.issuer == "joe" && principal.method == .token)
        #expect(principal.expires == UnixTime(seconds: 1_300_819_380))
        #expect(verifier.rejection(of: token, at: UnixTime(seconds: 1_300_819_380)) == .expired)
    }

    @Test func `the unsecured example of RFC 7519 is rejected`() throws {
        let keys = try KeySet(jwkSet: Array(Self.hs256.key.utf8), allowsSecrets: true)
        let issuer = try TokenIssuer(name: "joe", audiences: [], algorithms: [.hs256], keys: keys)
        let verifier = try TokenVerifier([issuer])
        let now = UnixTime(seconds: 1_300_819_379)
        #expect(verifier.rejection(of: "eyJhbGciOiJub25lIn0.\(Self.claims).", at: now) == .algorithm)
    }
}

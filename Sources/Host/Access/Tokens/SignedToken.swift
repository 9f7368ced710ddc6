import HTTPModel
import JSONText

/// A signed token in the compact form (RFC 7515 §3.1): header, content and signature, each as base64url, with dots between
/// them. Parsed, but not verified.
package struct SignedToken {
    package let algorithm: TokenAlgorithm
    /// The key id that the header names; nil if it names none.
    package let keyID: String?
    /// The type that the header names, in lower case and without `application/`; nil if it names none.
    package let type: String?
    /// The content. For a JWT, a JSON object.
    package let content: [UInt8]
    package let signature: [UInt8]
    /// The number of bytes of the text that are signed, from its start.
    package let signedCount: Int

    package init(_ text: UnsafeRawBufferPointer) throws(CredentialRejection) {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw .malformed("a signed token of three parts with dots between them, got \(parts.count) parts")
        }
        guard let header = Base64URL.bytes(of: parts[0]), let content = Base64URL.bytes(of: parts[1]),
            let signature = Base64URL.bytes(of: parts[2])
        else { throw .malformed("a token of base64url without padding and white space") }
        try self.init(
            header: SignedToken.object(header), content: content, signature: signature,
            signedCount: parts[1].endIndex - text.startIndex)
    }

    private init(
        header: UniqueObject, content: [UInt8], signature: [UInt8], signedCount: Int
    ) throws(CredentialRejection) {
        guard header["crit"] == nil, header["b64"] == nil else { throw .criticalExtension }
        guard ["jwk", "jku", "x5c", "x5u"].allSatisfy({ header[$0] == nil }) else { throw .embeddedKey }
        // The names of algorithms are case-sensitive, and `none` is not one of them in any case.
        guard let algorithm = header.string("alg").flatMap(TokenAlgorithm.init(exactly:)) else { throw .algorithm }
        guard header["kid"] == nil || header.string("kid") != nil else {
            throw .malformed("a string as the key id (kid)")
        }
        guard header["typ"] == nil || header.string("typ") != nil else {
            throw .malformed("a string as the type (typ)")
        }
        self.algorithm = algorithm
        keyID = header.string("kid")
        type = header.string("typ").map(SignedToken.type)
        self.content = content
        self.signature = signature
        self.signedCount = signedCount
    }

    static func object(_ bytes: [UInt8]) throws(CredentialRejection) -> UniqueObject {
        do throws(UniqueObject.Mismatch) {
            return try UniqueObject(bytes)
        } catch {
            switch error {
            case .repeated: throw .repeatedMember
            case .syntax: throw .malformed("a token whose header and claims are JSON objects")
            }
        }
    }

    /// Returns the form in which types are compared (RFC 7515 §4.1.9).
    static func type(_ text: String) -> String {
        let type = text.lowercased()
        return type.hasPrefix("application/") ? String(type.dropFirst("application/".count)) : type
    }
}

extension TokenAlgorithm {
    /// Creates an algorithm from its name, compared byte by byte.
    fileprivate init?(exactly name: String) {
        guard let found = TokenAlgorithm.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name.utf8) }) else {
            return nil
        }
        self = found
    }
}

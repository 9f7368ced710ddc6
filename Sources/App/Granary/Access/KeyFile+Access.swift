import Access
import JSONText

extension KeyFile {
    private static let deepest = 32

    /// Returns the keys of an issuer of tokens, from a JWK set or PEM blocks.
    ///
    /// - Throws: If the file cannot be used, or has a secret and is not private.
    func tokenKeys() throws(OperatorError) -> KeySet {
        let bytes = try content(isPrivate: false)
        let isJSON = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
        if isJSON { try checkSyntax(bytes) }
        let keys: KeySet
        do throws(AccessConfigurationError) {
            keys = try isJSON ? KeySet(jwkSet: bytes, allowsSecrets: true) : KeySet(pem: bytes)
        } catch {
            throw OperatorError("\(key): \(path): \(error.description)")
        }
        if keys.keys.contains(where: { $0.kind == .secret }) { try requirePrivate() }
        return keys
    }

    /// Returns the names and digests of API keys.
    ///
    /// - Throws: If the file cannot be used. The error names the line.
    func apiKeys() throws(OperatorError) -> APIKeyFile {
        let bytes = try content(isPrivate: false)
        do throws(AccessConfigurationError) {
            return try APIKeyFile(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw OperatorError("\(key): \(path): \(error.description)")
        }
    }

    /// Returns the keys that sign cookies and tickets, and their number.
    ///
    /// - Throws: If the file cannot be used.
    func signingKeys() throws(OperatorError) -> (keys: SigningKeys, count: Int) {
        var secrets = try secrets()
        var moved: [SecretBytes] = []
        for index in secrets.indices { moved.append(SecretBytes(moving: &secrets[index])) }
        guard let keys = SigningKeys(moved) else {
            throw OperatorError("\(key): expected keys of at least \(SigningKeys.leastByteCount) bytes in \(path)")
        }
        return (keys, moved.count)
    }

    /// Returns the key of the hashes of principals.
    ///
    /// - Throws: If the file cannot be used, or has more than one key.
    func identityKey() throws(OperatorError) -> SecretBytes { try identityKey(in: try content(isPrivate: true)) }

    /// Returns the key of the hashes of principals in the content of the file.
    ///
    /// - Throws: If the content is not that of a file with one key.
    func identityKey(in content: [UInt8]) throws(OperatorError) -> SecretBytes {
        var secrets = try secrets(in: content)
        guard secrets.count == 1 else {
            throw OperatorError(
                "\(key): expected one key in \(path), got \(secrets.count): it identifies the owners of stored sessions, so it "
                    + "cannot be rotated")
        }
        return SecretBytes(moving: &secrets[0])
    }

    /// Throws an error with the line of a syntax error, which the reader of key sets does not know.
    private func checkSyntax(_ bytes: [UInt8]) throws(OperatorError) {
        do throws(JSONSyntaxError) {
            _ = try JSONScanner.document(bytes, nestingLimit: KeyFile.deepest)
        } catch {
            let place = error.place(in: bytes)
            throw OperatorError(
                "\(key): \(path):\(place.line):\(place.column): expected \(error.expected), got \(error.found(in: bytes))"
            )
        }
    }
}

/// The keys of an issuer of tokens.
package struct KeySet: Sendable {
    /// The maximum number of keys, so that a token without a key id is not verified with an unlimited number of keys.
    package static let maxCount = 64

    /// The keys, in the order of their source.
    package let keys: [VerificationKey]
    /// For each key of the source that is not used, why not. For the operator's log.
    package let skipped: [String]

    /// Creates a set of keys.
    ///
    /// - Throws: If there are no keys, or more than 64.
    package init(_ keys: [VerificationKey], skipped: [String] = []) throws(AccessConfigurationError) {
        guard (1...KeySet.maxCount).contains(keys.count) else {
            let reasons = skipped.isEmpty ? "" : " Ignored: " + skipped.joined(separator: " ")
            throw AccessConfigurationError(
                "Expected 1 to \(KeySet.maxCount) keys for tokens, got \(keys.count).\(reasons)")
        }
        self.keys = keys
        self.skipped = skipped
    }

    /// Returns the keys that may verify a token, given its key id and algorithm.
    ///
    /// The id is compared with the ids of the keys and used for nothing else: it is neither a path nor a query. Keys without
    /// an id, from PEM files, may verify all tokens.
    func candidates(id: String?, algorithm: TokenAlgorithm) -> [VerificationKey] {
        keys.filter { key in
            guard key.accepts(algorithm) else { return false }
            guard let id, let keyID = key.id else { return true }
            return keyID.utf8.elementsEqual(id.utf8)
        }
    }
}

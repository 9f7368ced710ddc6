import JSONText

/// The claims of a token (RFC 7519 §4).
struct TokenClaims {
    /// The last second of the year 9999. A later time is usually one in milliseconds.
    private static let latestSecond = 253_402_300_799.0
    /// The maximum number of bytes of an id.
    private static let maxIDLength = 512

    private let members: UniqueObject

    init(_ members: UniqueObject) { self.members = members }

    /// Returns a time; nil if none exists. Fractions of milliseconds are rounded down.
    func time(_ name: String) throws(CredentialRejection) -> UnixTime? {
        guard let value = members[name] else { return nil }
        guard value.kind == .number, let seconds = Double(json: value.slice), abs(seconds) <= Self.latestSecond else {
            throw .malformed("a number of seconds since 1970, before the year 10000, as the claim \"\(name)\"")
        }
        // The limit above keeps the product within 64 bits.
        return UnixTime(milliseconds: Int64((seconds * 1000).rounded(.down)))
    }

    /// Returns whether the token is for one of the audiences. Without audiences, it must not be for anyone (RFC 7519 §4.1.3).
    func isFor(_ audiences: Set<String>) throws(CredentialRejection) -> Bool {
        guard let value = members["aud"] else { return audiences.isEmpty }
        if let audience = value.string { return audiences.containsExactly(audience) }
        guard let elements = value.elements else { throw .malformed("a string or an array as the claim \"aud\"") }
        for element in elements where element.string == nil { throw .malformed("strings in the claim \"aud\"") }
        return elements.contains { $0.string.map(audiences.containsExactly) ?? false }
    }

    func satisfy(_ claim: TokenIssuer.RequiredClaim) -> Bool {
        guard let value = members[claim.name], value.kind != .null else { return false }
        if claim.values.isEmpty { return true }
        if let text = value.string { return claim.values.containsExactly(text) }
        return value.elements?.contains { $0.string.map(claim.values.containsExactly) ?? false } ?? false
    }

    func id(_ name: String) throws(CredentialRejection) -> String {
        guard let id = members.string(name), !id.isEmpty, id.utf8.count <= Self.maxIDLength else { throw .claim(name) }
        return id
    }
}

extension Set<String> {
    /// Returns whether one of the strings has the same bytes.
    fileprivate func containsExactly(_ text: String) -> Bool {
        // `contains` alone would accept other spellings of the same characters.
        contains(text) && contains { $0.utf8.elementsEqual(text.utf8) }
    }
}

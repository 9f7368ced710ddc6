package import HTTPModel

/// Issues and verifies the cookie that identifies a browser: an anonymous principal, so that the sessions of a page survive
/// a reload and belong to the page.
///
/// Only the creation of a session issues a cookie, so that two tabs of a first visit do not replace each other's principal.
package struct CookieAuthority: Sendable {
    /// A valid cookie.
    package struct Reading: Sendable {
        /// The principal that the cookie identifies.
        package let principal: Principal
        /// Whether the next creation of a session should issue the cookie again: it was signed with an older key, half of its
        /// time has passed, or the clock was ahead.
        package let needsRenewal: Bool
    }

    /// The longest lifetime that browsers permit (RFC 6265bis §5.5).
    package static let maxLifetime = Duration.seconds(400 * 86_400)
    private static let version: UInt8 = 1
    private static let idByteCount = 16
    private static let contentCount = 1 + idByteCount + 8
    /// More than the longest text that is issued.
    private static let maxTextLength = 128

    private let keys: SigningKeys
    private let lifetime: Duration

    /// Creates an authority.
    ///
    /// - Parameters:
    ///   - keys: The keys that sign, the newest first.
    ///   - lifetime: The time after which a browser forgets the cookie, at most 400 days.
    package init(keys: SigningKeys, lifetime: Duration = .seconds(180 * 86_400)) {
        self.keys = keys
        self.lifetime = min(max(lifetime, .seconds(60)), CookieAuthority.maxLifetime)
    }

    var credentialKeys: [CredentialKey] { keys.credentialKeys }

    /// Returns the name of the cookie. Browsers reject `__Host-` without `Secure` (RFC 6265bis §4.1.3.2).
    package static func name(isSecure: Bool) -> String { isSecure ? "__Host-granary" : "granary" }

    package func newPrincipal() -> Principal {
        let id = SecretBytes.random(count: CookieAuthority.idByteCount).withBytes { Base64URL.text(of: $0) }
        return Principal(method: .cookie, id: id)
    }

    /// Returns the principal with an id of 16 random bytes.
    package func principal(id: [UInt8]) -> Principal {
        Principal(method: .cookie, id: Base64URL.text(of: id))
    }

    /// Returns the value of `Set-Cookie` for a principal of this method; nil for other principals.
    package func cookie(for principal: Principal, isSecure: Bool, at now: UnixTime) -> HTTPFieldValue? {
        guard principal.method == .cookie, let id = Base64URL.bytes(of: principal.id.utf8),
            id.count == CookieAuthority.idByteCount
        else { return nil }
        var content = [CookieAuthority.version] + id
        withUnsafeBytes(of: now.milliseconds.bigEndian) { content.append(contentsOf: $0) }
        let text = keys.signed(content, for: .cookie)
        let attributes = "; Path=/; HttpOnly; SameSite=Lax; Max-Age=\(lifetime.components.seconds)"
        return HTTPFieldValue(
            "\(CookieAuthority.name(isSecure: isSecure))=\(text)\(attributes)\(isSecure ? "; Secure" : "")")
    }

    /// Returns the principal of a cookie's value; nil if it was not issued here, or has expired.
    package func reading(of text: UnsafeRawBufferPointer, at now: UnixTime) -> Reading? {
        verified(text, at: now)?.reading
    }

    /// Returns a reading, and the time at which it has to be read again.
    func verified(_ text: UnsafeRawBufferPointer, at now: UnixTime) -> (reading: Reading, validUntil: UnixTime)? {
        guard let (content, isOld, key) = keys.content(of: text, for: .cookie, longest: CookieAuthority.maxTextLength),
            content.count == CookieAuthority.contentCount, content.first == CookieAuthority.version
        else { return nil }
        let issued = UnixTime(milliseconds: content.suffix(8).reduce(0) { $0 << 8 | Int64($1) })
        guard now < issued + lifetime else { return nil }
        let id = Base64URL.text(of: content.dropFirst().prefix(CookieAuthority.idByteCount))
        let principal = Principal(method: .cookie, id: id, key: key)
        let half = issued + lifetime / 2
        // It was issued while the clock was ahead, by more than the clocks of nodes differ. Without it, its browser would lose its sessions.
        let isEarly = issued > now + .seconds(60)
        return (
            Reading(principal: principal, needsRenewal: isOld || isEarly || now >= half),
            now < half ? half : issued + lifetime
        )
    }
}

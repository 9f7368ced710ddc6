/// The sender of a request, as determined by an authenticator.
///
/// Two principals are the same if their method, issuer and id are the same, byte by byte: the API key `bob` and the subject
/// `bob` of a token are different principals. Claims and expiry are not a part of the identity. A copy costs one reference.
public struct Principal: Hashable, Sendable {
    /// The method that has authenticated a principal.
    public enum Method: UInt8, Sendable, CaseIterable {
        /// A JSON Web Token (RFC 7519).
        case token = 1
        /// An API key.
        case apiKey = 2
        /// A client certificate.
        case certificate = 3
        /// A field of a trusted proxy.
        case proxy = 4
        /// The server's cookie, which identifies a browser and not a person.
        case cookie = 5
        /// A closure of the program.
        case host = 6

        /// Whether clients send the credential with every request, even with those that a page of another site causes.
        public var isAmbient: Bool {
            switch self {
            case .token, .apiKey: false
            case .certificate, .proxy, .cookie, .host: true
            }
        }
    }

    private final class Storage: Sendable {
        let method: Method
        let issuer: String
        let id: String
        let claims: String
        let expires: UnixTime?
        let key: CredentialKey?

        init(
            method: Method, issuer: String, id: String, claims: String, expires: UnixTime?, key: CredentialKey?
        ) {
            self.method = method
            self.issuer = issuer
            self.id = id
            self.claims = claims
            self.expires = expires
            self.key = key
        }
    }

    private let storage: Storage

    /// Creates a principal. Programs need this in tests only.
    ///
    /// - Parameters:
    ///   - method: The method of authentication.
    ///   - issuer: The issuer of the id; empty if the method has no issuers.
    ///   - id: The id, unique for the method and issuer.
    ///   - claims: What is known about the principal, as a JSON object.
    ///   - expires: The time at which the credential expires; nil if it does not.
    public init(method: Method, issuer: String = "", id: String, claims: String = "{}", expires: UnixTime? = nil) {
        self.init(method: method, issuer: issuer, id: id, claims: claims, expires: expires, key: nil)
    }

    /// Creates a principal whose credential depends on a key; nil if it depends on none.
    init(
        method: Method, issuer: String = "", id: String, claims: String = "{}", expires: UnixTime? = nil,
        key: CredentialKey?
    ) {
        storage = Storage(method: method, issuer: issuer, id: id, claims: claims, expires: expires, key: key)
    }

    /// The method of authentication.
    public var method: Method { storage.method }
    /// The issuer of the id; empty if the method has no issuers.
    public var issuer: String { storage.issuer }
    /// The id, unique for the method and issuer.
    public var id: String { storage.id }
    /// The claims about the principal, such as those of a token, as the text of a JSON object.
    public var claims: String { storage.claims }
    /// The time from which the credential is no longer accepted, for a token with the allowed difference of clocks; nil if it does
    /// not expire.
    public var expires: UnixTime? { storage.expires }

    /// The key on which the credential depends; nil if it depends on none, or the principal was stored. Not a part of the identity.
    package var key: CredentialKey? { storage.key }

    /// Returns a claim that is a string; nil if none has this name.
    ///
    /// Reads the JSON again. A machine that needs a claim often keeps it.
    public func claim(_ name: String) -> String? {
        (try? UniqueObject(Array(claims.utf8)))?.string(name)
    }

    /// Returns whether both have the same identity.
    public static func == (left: Principal, right: Principal) -> Bool {
        // Not `==` of strings, which regards different bytes as the same text: then two subjects of an issuer could be one
        // principal.
        left.storage === right.storage
            || left.method == right.method && left.id.utf8.elementsEqual(right.id.utf8)
                && left.issuer.utf8.elementsEqual(right.issuer.utf8)
    }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        var id = id
        id.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

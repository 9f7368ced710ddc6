import Access
import HTTPModel

/// A key with which the contents of sessions are encrypted: 32 random bytes. Erased when it is freed.
public struct SecretKey: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of bytes of a key.
    public static let byteCount = 32

    /// A name of the key, which is stored with what it encrypts. It does not reveal the key.
    public let id: UInt64
    private let secret: SecretBytes
    private let derivation: MACKey

    /// Creates a key. Returns nil unless there are 32 bytes. The caller's bytes are not erased.
    public init?(bytes: [UInt8]) {
        guard bytes.count == SecretKey.byteCount else { return nil }
        secret = SecretBytes(copying: bytes)
        derivation = MACKey(secret)
        id = derivation.derived(for: "granary key id").withBytes { bytes in
            bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// Returns the key of one session.
    ///
    /// Random nonces may repeat after 2³² encryptions with one key (NIST SP 800-38D, section 8.3). A session does not reach
    /// that number, a server with one key for all sessions would.
    func key(of session: StoredSessionID) -> SecretBytes {
        derivation.derived(for: "granary session \(session.text)")
    }

    /// Returns whether both are the same, in constant time.
    public static func == (left: SecretKey, right: SecretKey) -> Bool {
        right.secret.withBytes { left.secret.equals($0) }
    }

    /// The name of the key.
    public var description: String { SecretKey.name(of: id) }
    /// The name of the key.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Returns the id of a key as 16 hexadecimal digits.
    static func name(of id: UInt64) -> String { Hexadecimal.text(of: id) }
}

/// The keys of a host. The first one encrypts; all of them decrypt what they have encrypted.
public struct SecretKeys: Sendable, Equatable {
    private let keys: [SecretKey]

    /// Creates the keys of a host. Returns nil for an empty array.
    public init?(_ keys: [SecretKey]) {
        if keys.isEmpty { return nil }
        self.keys = keys
    }

    var first: SecretKey { keys[0] }

    /// Returns the key with a name; nil if it is not among them.
    subscript(id: UInt64) -> SecretKey? { keys.first { $0.id == id } }
}

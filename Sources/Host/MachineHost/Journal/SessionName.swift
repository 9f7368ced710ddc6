/// The principal to which a stored session belongs, as a keyed hash of its identity.
public struct SessionOwner: Hashable, Sendable {
    /// The first eight bytes of the hash, in network byte order.
    public let high: UInt64
    /// The other eight bytes.
    public let low: UInt64

    /// Creates an owner from a hash.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// The name that the owner of a session has given it. It is unique among the owner's sessions of one machine that have not ended.
public struct SessionName: Hashable, Sendable {
    /// The maximum number of characters.
    static let maxCount = 64

    // One reference: a summary is kept for each session that sleeps with open streams, and most have no name.
    private final class Storage: Sendable {
        let owner: SessionOwner
        let text: String

        init(_ owner: SessionOwner, _ text: String) {
            self.owner = owner
            self.text = text
        }
    }

    private let storage: Storage

    /// The owner.
    public var owner: SessionOwner { storage.owner }
    /// The name as the owner's clients send it.
    public var text: String { storage.text }

    /// Creates a name. The host accepts 1 to 64 of the characters that need no encoding in a URL: letters and digits of ASCII, `-`,
    /// `.`, `_` and `~`.
    public init(owner: SessionOwner, text: String) {
        storage = Storage(owner, text)
    }

    /// Returns whether two names have the same owner and the same text.
    public static func == (left: SessionName, right: SessionName) -> Bool {
        left.owner == right.owner && left.text == right.text
    }

    /// Hashes the owner and the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(owner)
        hasher.combine(text)
    }

    static func isValid(_ text: String) -> Bool {
        (1...maxCount).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "~"):
                    true
                default: false
                }
            }
    }
}

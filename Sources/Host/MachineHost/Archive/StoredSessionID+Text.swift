import HTTPModel

extension StoredSessionID {
    /// The number of digits that lists show.
    package static let shortTextCount = 12

    /// The stored id as 32 hexadecimal digits.
    package var text: String { Hexadecimal.text(of: high) + Hexadecimal.text(of: low) }

    /// The beginning of ``text``, for lists.
    package var shortText: String { String(text.prefix(Self.shortTextCount)) }

    /// Creates the first id whose text begins with some digits. Returns nil if they are not 1 to 32 hexadecimal digits.
    init?(beginning digits: String) {
        guard (1...32).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "z") })
        else { return nil }
        let padded = digits + String(repeating: "0", count: 32 - digits.utf8.count)
        guard let high = UInt64(padded.prefix(16), radix: 16), let low = UInt64(padded.suffix(16), radix: 16) else {
            return nil
        }
        self.init(high: high, low: low)
    }

    /// The id before this one; nil for the first.
    var predecessor: StoredSessionID? {
        if low > 0 { return StoredSessionID(high: high, low: low - 1) }
        return high > 0 ? StoredSessionID(high: high - 1, low: .max) : nil
    }
}

extension SessionID {
    /// Parses 22 characters. Returns nil for other text.
    init?(text: String) {
        var text = text
        guard let id = text.withUTF8({ SessionID($0) }) else { return nil }
        self = id
    }
}

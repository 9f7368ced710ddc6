/// The name of a session: 128 random bits, written as 22 characters of base64url (RFC 4648 §5). Nobody can guess one, and
/// the loop that a session lives on is a part of it, so that finding it takes no table and no lock.
struct SessionID: Hashable, Sendable {
    static let textCount = 22

    let high: UInt64
    let low: UInt64

    /// A new one that lives on that loop.
    static func random(onLoop loop: Int, of count: Int) -> SessionID {
        var generator = SystemRandomNumberGenerator()
        while true {
            let id = SessionID(high: generator.next(), low: generator.next())
            if id.loop(of: count) == loop { return id }
        }
    }

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads 22 characters; nil for anything else, also for a spelling whose unused bits are not zero: an id has one
    /// spelling.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        guard text.count == SessionID.textCount else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 0..<21 {
            guard let digit = Base64URL.value(of: text[index]) else { return nil }
            high = high << 6 | low >> 58
            low = low << 6 | UInt64(digit)
        }
        guard let last = Base64URL.value(of: text[21]), last & 0b1111 == 0 else { return nil }
        self.high = high << 2 | low >> 62
        self.low = low << 2 | UInt64(last >> 4)
    }

    /// One half will do: all bits are random.
    func hash(into hasher: inout Hasher) {
        hasher.combine(low)
    }

    /// The loop that its session lives on, if there are that many.
    func loop(of count: Int) -> Int {
        count > 1 ? Int((high >> 32) % UInt64(count)) : 0
    }

    /// The loop that the session with an id of that beginning lives on; nil where no id begins like that. An id is read whole
    /// where it is looked up: this is for those who only have to know where.
    static func loop(ofText text: UnsafeBufferPointer<UInt8>, of count: Int) -> Int? {
        guard text.count >= 6 else { return nil }
        var bits: UInt64 = 0
        for index in 0..<6 {
            guard let digit = Base64URL.value(of: text[index]) else { return nil }
            bits = bits << 6 | UInt64(digit)
        }
        return SessionID(high: bits << 28, low: 0).loop(of: count)
    }

    /// Appends its 22 characters.
    func append(to bytes: inout [UInt8]) {
        let bits = UInt128(high) << 64 | UInt128(low)
        for shift in stride(from: 122, through: 2, by: -6) {
            bytes.append(Base64URL.digit(UInt8(truncatingIfNeeded: bits >> UInt128(shift) & 63)))
        }
        bytes.append(Base64URL.digit(UInt8(truncatingIfNeeded: (low & 0b11) << 4)))
    }

    /// Its 22 characters.
    var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What the log says instead of it: eight hexadecimal digits that are the same for as long as the process lives. Whoever
    /// reads the log can follow a session and cannot enter it: the digits come from the standard library's keyed hash,
    /// whose key is the process's secret.
    var hash: String {
        var hasher = Hasher()
        hasher.combine(self)
        let bits = UInt64(bitPattern: Int64(hasher.finalize()))
        return stride(from: 24, through: 0, by: -8)
            .map { Hexadecimal.text(of: UInt8(truncatingIfNeeded: bits >> UInt64($0))) }.joined()
    }
}

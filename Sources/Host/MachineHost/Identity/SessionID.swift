import HTTPModel

/// The identifier of a session: 128 random bits, written as 22 base64url characters (RFC 4648 §5).
///
/// An id cannot be guessed: it is the client's only credential. It also encodes the loop of its session, so that
/// finding the loop needs no shared table and no lock.
struct SessionID: Hashable, Sendable {
    static let textCount = 22

    let high: UInt64
    let low: UInt64

    /// Returns a new id of a session on a loop.
    static func random(onLoop loop: Int, of count: Int) -> SessionID {
        assert((0..<max(1, count)).contains(loop), "expected one of \(count) loops, got \(loop)")
        var generator = SystemRandomNumberGenerator()
        // Draw until the id maps to the loop: `count` attempts on average, and the id stays uniformly distributed among
        // those of the loop.
        while true {
            let id = SessionID(high: generator.next(), low: generator.next())
            if id.loop(of: count) == loop { return id }
        }
    }

    func hash(into hasher: inout Hasher) {
        // One half is enough: all bits are random.
        hasher.combine(low)
    }

    /// Returns the loop of the session, given the number of loops.
    func loop(of count: Int) -> Int {
        count > 1 ? Int((high >> 32) % UInt64(count)) : 0
    }

    /// Returns the loop of a session, given the beginning of its id; nil if it is not the beginning of an id.
    ///
    /// The id is validated where the session is looked up. Routing a connection only needs the loop.
    static func loop(ofText text: UnsafeBufferPointer<UInt8>, of count: Int) -> Int? {
        // `loop(of:)` uses the upper 32 bits, which the first six characters contain.
        guard text.count >= 6 else { return nil }
        var bits: UInt64 = 0
        for index in 0..<6 {
            guard let digit = Base64URL.value(of: text[index]) else { return nil }
            bits = bits << 6 | UInt64(digit)
        }
        return SessionID(high: bits << 28, low: 0).loop(of: count)
    }

    /// Appends the id as 22 characters.
    func append(to bytes: inout [UInt8]) {
        Base64URL.append(high, low, to: &bytes)
    }

    /// The id as 22 characters.
    var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A log-safe name of the session: eight hexadecimal digits that stay the same while the process runs.
    var hash: String {
        // The log must not contain ids, as each is a credential. `Hasher` is keyed with a secret of the process, so the
        // digits do not lead back to the id.
        var hasher = Hasher()
        hasher.combine(self)
        return Hexadecimal.text(of: UInt32(truncatingIfNeeded: hasher.finalize()))
    }
}

extension SessionID {
    /// Parses 22 characters. Returns nil for other text, and for an alternative spelling whose unused bits are not
    /// zero.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        guard let (high, low) = Base64URL.words(of: text) else { return nil }
        self.init(high: high, low: low)
    }
}

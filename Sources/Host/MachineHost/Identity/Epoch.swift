import HTTPModel
import JSONText

/// Identifies one lifetime of a session's version numbers.
struct Epoch: Equatable, Sendable {
    static let textCount = 6
    static let bitCount = 36

    /// 36 random bits.
    // Random rather than counted: a position from another session, or from this session before it was restored, must
    // not be accepted as a position of this one, or a client would resume from outputs that it never saw.
    let bits: UInt64

    init(bits: UInt64) {
        self.bits = bits & 0xF_FFFF_FFFF
    }

    /// Converts between the epoch that clients see and the stored one, which differ by the generation of the journal.
    func moved(by generation: Epoch) -> Epoch { Epoch(bits: bits ^ generation.bits) }

    /// The low 28 bits, which fit into a number of 64 bits beside another epoch.
    var number: UInt64 { bits & (1 << UInt64(64 - Epoch.bitCount) - 1) }

    static func random() -> Epoch {
        Epoch(bits: UInt64.random(in: .min ... .max))
    }

    /// The epoch as six base64url characters.
    var text: String { withUnsafeBytes(of: characters) { String(decoding: $0.prefix(Epoch.textCount), as: UTF8.self) } }

    /// The six characters in the order of memory.
    fileprivate var characters: UInt64 {
        var text: UInt64 = 0
        for place in 0..<Epoch.textCount {
            let digit = Base64URL.digit(UInt8(truncatingIfNeeded: bits >> UInt64(30 - 6 * place) & 63))
            text |= UInt64(digit) << UInt64(8 * place)
        }
        return text.littleEndian
    }
}

/// A position in a session's stream, as clients hold it: `{epoch}.{version}`.
struct StreamPosition: Equatable, Sendable {
    let epoch: Epoch
    let version: UInt64
}

extension StreamPosition {
    /// Parses a position. Returns nil if the text is not one.
    init?(_ text: some Collection<UInt8>) {
        var bits: UInt64 = 0
        let head = text.prefix(Epoch.textCount)
        guard head.count == Epoch.textCount else { return nil }
        for byte in head {
            guard let digit = Base64URL.value(of: byte) else { return nil }
            bits = bits << 6 | UInt64(digit)
        }
        let rest = text.dropFirst(Epoch.textCount)
        guard rest.first == UInt8(ascii: "."), let version = Decimal.value(of: rest.dropFirst()) else { return nil }
        self.init(epoch: Epoch(bits: bits), version: version)
    }

    func append(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: epoch.characters) { bytes.append(contentsOf: $0.prefix(Epoch.textCount)) }
        bytes.append(UInt8(ascii: "."))
        JSONWriter.append(version, to: &bytes)
    }

    var text: String { "\(epoch.text).\(version)" }

    /// The entity tag of what a session shows at the position.
    var entityTag: HTTPFieldValue { HTTPFieldValue("\"\(text)\"") ?? "\"\"" }
}

extension HTTPFields {
    /// Appends the entity tag of what a session shows at a position.
    mutating func append(entityTag position: StreamPosition) {
        // The fields are a copy of shared ones, which is then made with enough room.
        reserve(bytes: 32, fields: 1)
        append(.eTag) { bytes in
            bytes.append(UInt8(ascii: "\""))
            position.append(to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        }
    }
}

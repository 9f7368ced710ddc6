/// One life of a session: the versions of different epochs have nothing to do with each other. Random, so that a position in
/// another session, or in this one before it was restored, is never taken for one of this.
struct Epoch: Equatable, Sendable {
    static let textCount = 6

    /// 36 bits.
    let bits: UInt64

    init(bits: UInt64) {
        self.bits = bits & 0xF_FFFF_FFFF
    }

    static func random() -> Epoch {
        Epoch(bits: UInt64.random(in: .min ... .max))
    }

    /// Appends its six characters, of the alphabet of base64url.
    func append(to bytes: inout [UInt8]) {
        var text: UInt64 = 0
        for place in 0..<Epoch.textCount {
            let digit = Base64URL.digit(UInt8(truncatingIfNeeded: bits >> UInt64(30 - 6 * place) & 63))
            text |= UInt64(digit) << UInt64(8 * place)
        }
        withUnsafeBytes(of: text.littleEndian) { bytes.append(contentsOf: $0.prefix(Epoch.textCount)) }
    }
}

/// A position in a session's stream as clients hold it: `{epoch}.{version}`.
struct StreamPosition: Equatable, Sendable {
    let epoch: Epoch
    let version: UInt64

    init(epoch: Epoch, version: UInt64) {
        self.epoch = epoch
        self.version = version
    }

    /// Reads one; nil for text that is no position in any session.
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
        epoch.append(to: &bytes)
        bytes.append(UInt8(ascii: "."))
        Decimal.append(version, to: &bytes)
    }
}

/// The bytes of a ticket that are signed:
///
///     version (1), rights (1), session (16), nonce (12), generation (4), expiry in ms (8), uses (2; 0 for any number),
///     lifetime after a redemption in s (4; 0 if it cannot be redeemed), label
extension Ticket {
    private static let version: UInt8 = 1
    private static let headCount = 1 + 1 + 16 + 12 + 4 + 8 + 2 + 4
    /// The maximum number of bytes.
    static let maxBytes = headCount + maxLabelLength

    var bytes: [UInt8] {
        var bytes = [Ticket.version, rights.rawValue]
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        }
        append(session.bits)
        bytes.append(contentsOf: nonce.bytes)
        append(generation)
        append(expires.milliseconds)
        append(uses ?? 0)
        append(UInt32(clamping: renewsFor?.components.seconds ?? 0))
        bytes.append(contentsOf: label.utf8)
        return bytes
    }

    /// Creates a ticket from bytes whose signature was verified. Returns nil for bytes of another version.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Ticket.headCount, bytes.count <= Ticket.maxBytes, bytes.first == Ticket.version else {
            return nil
        }
        var rest = bytes.dropFirst()
        func take<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
            let count = Number.bitWidth / 8
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
        }
        let rights = TicketRights(rawValue: take(UInt8.self))
        let session = SessionDigest(bits: take(UInt128.self))
        guard let nonce = Nonce(rest.prefix(Nonce.byteCount)) else { return nil }
        rest = rest.dropFirst(Nonce.byteCount)
        let generation = take(UInt32.self)
        let expires = UnixTime(milliseconds: take(Int64.self))
        let uses = take(UInt16.self)
        let lifetime = take(UInt32.self)
        guard let label = String(validating: rest, as: UTF8.self) else { return nil }
        self.init(
            session: session, rights: rights, generation: generation, expires: expires, uses: uses == 0 ? nil : uses,
            renewsFor: lifetime == 0 ? nil : .seconds(Int64(lifetime)), label: label, nonce: nonce)
    }
}

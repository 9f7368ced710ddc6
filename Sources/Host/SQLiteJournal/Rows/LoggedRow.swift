import MachineHost

/// A row whose bytes are in a batch or in a ``RowLog``.
struct LoggedRow {
    let session: StoredSessionID
    let number: UInt64
    let previous: UInt64
    let wakesAt: Int64?
    let content: UnsafeRawBufferPointer

    /// The most bytes that a row takes besides its content.
    static let overhead = 16 + 3 * 10 + 8

    /// Appends a row of a batch in the form of the row log.
    @inline(__always)
    static func append(_ row: JournalBatch.JournalRow, _ content: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: (row.session.high, row.session.low)) { bytes.append(contentsOf: $0) }
        VariableLengthNumber.append(row.number, to: &bytes)
        VariableLengthNumber.append(row.number - row.previous, to: &bytes)
        VariableLengthNumber.append(UInt64(content.count) << 1 | (row.wakesAt == nil ? 0 : 1), to: &bytes)
        if let wakesAt = row.wakesAt { withUnsafeBytes(of: wakesAt) { bytes.append(contentsOf: $0) } }
        bytes.append(contentsOf: content)
    }

    init(
        session: StoredSessionID, number: UInt64, previous: UInt64, wakesAt: Int64?, content: UnsafeRawBufferPointer
    ) {
        (self.session, self.number, self.previous) = (session, number, previous)
        (self.wakesAt, self.content) = (wakesAt, content)
    }

    /// Reads a row from the beginning of bytes whose checksum is right, and removes it from them; nil if they are not a row.
    init?(_ bytes: inout UnsafeRawBufferPointer) {
        guard bytes.count >= 16 else { return nil }
        session = StoredSessionID(
            high: bytes.loadUnaligned(as: UInt64.self), low: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        var rest = UnsafeRawBufferPointer(rebasing: bytes[16...])
        guard let number = LoggedRow.number(&rest), let distance = LoggedRow.number(&rest), distance <= number,
            let form = LoggedRow.number(&rest)
        else { return nil }
        (self.number, previous) = (number, number - distance)
        if form & 1 == 0 {
            wakesAt = nil
        } else {
            guard rest.count >= 8 else { return nil }
            wakesAt = rest.loadUnaligned(as: Int64.self)
            rest = UnsafeRawBufferPointer(rebasing: rest[8...])
        }
        guard let count = Int(exactly: form >> 1), count <= rest.count else { return nil }
        content = UnsafeRawBufferPointer(rebasing: rest[..<count])
        bytes = UnsafeRawBufferPointer(rebasing: rest[count...])
    }

    private static func number(_ bytes: inout UnsafeRawBufferPointer) -> UInt64? {
        VariableLengthNumber.read {
            guard let byte = bytes.first else { return nil }
            bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
            return byte
        }
    }
}

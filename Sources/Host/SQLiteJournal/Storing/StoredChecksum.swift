import CLinux
import MachineHost

/// The checksums of rows, contents and properties, so that nobody takes damaged bytes for the state of a session, or for the clock by
/// which sessions expire.
// SQLite verifies the frames of its log only, and those once. A bit that changes in a value is not noticed otherwise.
enum StoredChecksum {
    /// Returns the checksum of a row and its links.
    @inline(__always)
    static func row(
        _ number: UInt64, of session: StoredSessionID, previous: UInt64, wakesAt: Int64?,
        _ content: UnsafeRawBufferPointer
    ) -> Int64 {
        checksum((session.high, session.low, number, previous, UInt64(bitPattern: wakesAt ?? .min)), content)
    }

    /// Returns the checksum of the content of a session and of the rows that it contains.
    static func snapshot(
        of session: StoredSessionID, covers: UInt64, _ content: UnsafeRawBufferPointer
    ) -> Int64 {
        checksum((session.high, session.low, covers, 0, 0), content)
    }

    /// Returns the checksum of a property and its name.
    static func property(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeRawBufferPointer) -> Int64 {
        let head = granary_crc32c(0, name.baseAddress, name.count)
        return Int64(Int32(bitPattern: granary_crc32c(head, value.baseAddress, value.count)))
    }

    @inline(__always)
    private static func checksum(
        _ words: (UInt64, UInt64, UInt64, UInt64, UInt64), _ content: UnsafeRawBufferPointer
    ) -> Int64 {
        let head = withUnsafeBytes(of: words) { granary_crc32c(0, $0.baseAddress, $0.count) }
        // With a sign, it needs no more than four bytes.
        return Int64(Int32(bitPattern: granary_crc32c(head, content.baseAddress, content.count)))
    }
}

extension SQLiteStatement {
    /// Throws if a column has another checksum than the one of what was read. Older builds have stored none.
    @inline(__always)
    func verify(_ column: Int32, _ checksum: Int64, _ what: @autoclosure () -> String) throws {
        guard !isNull(column), integer(column) != checksum else { return }
        throw JournalError(.damaged, "expected \(what()) with the checksum that was stored with it, got other bytes")
    }
}

import CPostgreSQL

/// The result of a statement, in the binary format.
final class PostgreSQLResult {
    private let handle: OpaquePointer

    /// Takes ownership of a result.
    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    /// The number of rows.
    var count: Int { Int(PQntuples(handle)) }

    func isNull(_ row: Int, _ column: Int32) -> Bool { PQgetisnull(handle, Int32(row), column) != 0 }

    /// Returns the bytes of a value, which are valid as long as the result.
    func bytes(_ row: Int, _ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(handle, Int32(row), column), count: Int(PQgetlength(handle, Int32(row), column)))
    }

    func array(_ row: Int, _ column: Int32) -> [UInt8] { Array(bytes(row, column)) }

    func text(_ row: Int, _ column: Int32) -> String { String(decoding: bytes(row, column), as: UTF8.self) }

    func boolean(_ row: Int, _ column: Int32) -> Bool { bytes(row, column).first == 1 }

    /// Returns a `bigint`; 0 for a value of another size.
    func integer(_ row: Int, _ column: Int32) -> Int64 {
        let bytes = bytes(row, column)
        guard bytes.count == 8 else { return 0 }
        return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    }

    func optionalInteger(_ row: Int, _ column: Int32) -> Int64? {
        isNull(row, column) ? nil : integer(row, column)
    }

    /// Returns the halves of a `uuid`; nil for NULL.
    func id(_ row: Int, _ column: Int32) -> (high: UInt64, low: UInt64)? {
        let bytes = bytes(row, column)
        guard !isNull(row, column), bytes.count == 16 else { return nil }
        return (
            UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }
}

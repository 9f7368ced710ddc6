/// The parts of a write-ahead log of SQLite that tests need (https://sqlite.org/fileformat2.html#walformat).
struct WriteAheadLog {
    static let headerSize = 32
    static let frameSize = 24 + 4096

    let bytes: [UInt8]

    init(path: String) {
        bytes = TestDirectory.read(path) ?? []
    }

    /// Identifies the content since the log was last begun again.
    var salt: [UInt8] { bytes.count < WriteAheadLog.headerSize ? [] : Array(bytes[16..<24]) }

    /// The size of the header and the frames that were written since then.
    var usedSize: Int {
        // Read as whole words: the tests look at the log after each flush, and unoptimized loops over bytes are slow.
        bytes.withUnsafeBytes { bytes in
            func salt(at place: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
            var end = WriteAheadLog.headerSize
            while end + WriteAheadLog.frameSize <= bytes.count, salt(at: end + 8) == salt(at: 16) {
                end += WriteAheadLog.frameSize
            }
            return min(end, bytes.count)
        }
    }
}

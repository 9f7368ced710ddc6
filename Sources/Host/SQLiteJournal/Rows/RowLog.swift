import CLinux
import Glibc
import MachineHost

/// The file with the newest rows, which is written without SQLite: a ring of records, each with the rows of one batch.
///
/// A record is on the disk when it was appended. The positions of records only grow, and their place in the file is the rest modulo its
/// size. The checksum of a record contains its position and the salt of the process, so that no older content of the file is taken for one,
/// and the end of the record before, so that none is read behind one that is missing.
final class RowLog {
    /// The size of the file: the rows of some 24,000 turns of a small machine.
    static let capacity = 4 << 20
    /// The size of a record before its rows: its checksum, their length and the position.
    static let headerSize = 16
    /// The size of the blocks that a record fills. Disks that write larger ones only are written through the cache of the system.
    static let blockSize = 512
    private static let pageSize = 4096

    /// Distinguishes the records of this process from all others in the file.
    let salt: UInt64
    /// The position at which the oldest record begins.
    private(set) var tail: UInt64 = 0
    /// The position at which the last record ends.
    private(set) var head: UInt64 = 0
    /// The end of the record after which the next one did not fit, so that it begins at the beginning of the file; nil if there is none.
    // There is at most one, because the file contains no more than its size.
    private var skipped: UInt64?
    private let capacity: Int
    private let descriptor: Int32
    // Also the source of the writes, which the disk reads without a copy. Reading the file would have to wait for the disk.
    /// The content of the file.
    private let image: UnsafeMutableRawBufferPointer

    /// Opens a file for new records, whatever it contains; creates it if it does not exist.
    init(_ path: String, capacity: Int, salt: UInt64) throws {
        assert(capacity > 0 && capacity % RowLog.pageSize == 0, "expected whole pages, got \(capacity) bytes")
        (self.capacity, self.salt) = (capacity, salt)
        try RowLog.prepare(path, capacity)
        descriptor = try RowLog.openForWriting(path)
        image = .allocate(byteCount: capacity, alignment: RowLog.pageSize)
    }

    deinit {
        close(descriptor)
        image.deallocate()
    }

    var isEmpty: Bool { tail == head }
    /// The number of bytes that can be written before old records have to be removed.
    var room: Int { capacity - Int(head - tail) }
    /// The largest number of bytes of the rows of a record.
    var largest: Int { capacity / 4 }

    /// Returns the position of the rows in a record with a number of bytes; nil if there is no room for it.
    func position(forRows count: Int) -> UInt64? {
        let start = RowLog.start(ofRecordWith: count, after: head, capacity)
        guard start + UInt64(RowLog.size(ofRecordWith: count)) <= tail + UInt64(capacity) else { return nil }
        return start + UInt64(RowLog.headerSize)
    }

    /// Appends a record, and flushes it.
    ///
    /// - Parameters:
    ///   - rows: Its rows.
    ///   - count: The number of bytes for which ``position(forRows:)`` has found room; at least that of the rows.
    func append(_ rows: UnsafeRawBufferPointer, inPlaceFor count: Int) throws {
        assert(rows.count <= count, "expected at most \(count) bytes of rows, got \(rows.count)")
        let start = RowLog.start(ofRecordWith: count, after: head, capacity)
        let size = RowLog.size(ofRecordWith: rows.count)
        assert(start + UInt64(size) <= tail + UInt64(capacity), "expected room for \(size) bytes, got \(room)")
        let record = UnsafeMutableRawBufferPointer(rebasing: image[offset(start)..<offset(start) + size])
        record.storeBytes(of: UInt32(rows.count), toByteOffset: 4, as: UInt32.self)
        record.storeBytes(of: start, toByteOffset: 8, as: UInt64.self)
        UnsafeMutableRawBufferPointer(rebasing: record[RowLog.headerSize...]).copyMemory(from: rows)
        record.storeBytes(
            of: RowLog.checksum(UnsafeRawBufferPointer(record), rows.count, salt, after: head), as: UInt32.self)
        let written = pwrite(descriptor, record.baseAddress, size, off_t(offset(start)))
        guard written == size else {
            throw JournalError(system: written < 0 ? errno : ENOSPC, expected: "to write \(size) bytes of rows")
        }
        if start != head { skipped = head }
        head = start + UInt64(size)
    }

    /// Returns where the rows of the record at a position are, and where the next record is; nil after the last one.
    func record(at position: UInt64) -> (rows: Range<UInt64>, next: UInt64)? {
        guard position < head else { return nil }
        let start = position == skipped ? RowLog.nextLap(after: position, capacity) : position
        let count = Int(image.load(fromByteOffset: offset(start) + 4, as: UInt32.self))
        let rows = start + UInt64(RowLog.headerSize)
        return (rows..<rows + UInt64(count), start + UInt64(RowLog.size(ofRecordWith: count)))
    }

    /// Returns the bytes from a position on, which are valid until something is appended.
    func bytes(from position: UInt64) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: image[offset(position)...])
    }

    /// Removes the records before a position. Call when nothing needs them any more, even after a loss of power.
    func remove(before position: UInt64) {
        assert((tail...head).contains(position), "expected a position from \(tail) to \(head), got \(position)")
        tail = position
    }

    private func offset(_ position: UInt64) -> Int { Int(position % UInt64(capacity)) }
}

// The form of the file.
extension RowLog {
    fileprivate static func size(ofRecordWith count: Int) -> Int {
        (headerSize + count + blockSize - 1) / blockSize * blockSize
    }

    /// Returns where a record begins: no record continues at the beginning of the file.
    fileprivate static func start(ofRecordWith count: Int, after head: UInt64, _ capacity: Int) -> UInt64 {
        let left = capacity - Int(head % UInt64(capacity))
        return size(ofRecordWith: count) <= left ? head : nextLap(after: head, capacity)
    }

    fileprivate static func nextLap(after position: UInt64, _ capacity: Int) -> UInt64 {
        (position / UInt64(capacity) + 1) * UInt64(capacity)
    }

    /// Returns the checksum of a record.
    ///
    /// - Parameter end: The end of the record before; nil for a record that does not name it.
    static func checksum(
        _ record: UnsafeRawBufferPointer, _ count: Int, _ salt: UInt64, after end: UInt64?
    ) -> UInt32 {
        var seed = withUnsafeBytes(of: salt) { granary_crc32c(0, $0.baseAddress, $0.count) }
        if let end { seed = withUnsafeBytes(of: end) { granary_crc32c(seed, $0.baseAddress, $0.count) } }
        return granary_crc32c(seed, record.baseAddress?.advanced(by: 4), headerSize - 4 + count)
    }

    /// Reads what a process has left from a position on, up to the first record that is missing, cut or damaged.
    ///
    /// - Parameter isLinked: Whether each record names the end of the one before.
    /// - Returns: The position at which the last record ends; nil if there is no file.
    /// - Throws: `JournalError` if the file cannot be read, although it may contain records, or the error of the closure.
    static func read(
        _ path: String, salt: UInt64, from first: UInt64, isLinked: Bool = true,
        _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> UInt64? {
        guard let content = try content(of: path) else { return nil }
        var position = first
        try content.withUnsafeBytes { bytes in
            func record(at start: UInt64) -> UnsafeRawBufferPointer? {
                let record = UnsafeRawBufferPointer(rebasing: bytes[Int(start % UInt64(bytes.count))...])
                guard record.count >= headerSize, record.load(fromByteOffset: 8, as: UInt64.self) == start else {
                    return nil
                }
                let count = Int(record.load(fromByteOffset: 4, as: UInt32.self))
                guard size(ofRecordWith: count) <= record.count,
                    record.load(as: UInt32.self) == checksum(record, count, salt, after: isLinked ? position : nil)
                else { return nil }
                return UnsafeRawBufferPointer(rebasing: record[headerSize..<headerSize + count])
            }
            guard bytes.count >= pageSize, bytes.count % pageSize == 0 else { return }
            // The database does not verify the position.
            guard first % UInt64(blockSize) == 0, Int64(exactly: first) != nil else { return }
            while true {
                var start = position
                var rows = record(at: start)
                if rows == nil {
                    start = nextLap(after: position, bytes.count)
                    rows = record(at: start)
                }
                guard let rows else { return }
                try body(rows)
                position = start + UInt64(size(ofRecordWith: rows.count))
            }
        }
        return position
    }

    /// Returns the bytes of a file; nil if it does not exist.
    private static func content(of path: String) throws -> [UInt8]? {
        func failure() -> JournalError { JournalError(system: errno, expected: "to read \(path)") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure()
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure() }
        let size = Int(status.st_size)
        return try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size, let start = buffer.baseAddress {
                let found = Glibc.read(descriptor, start + count, size - count)
                guard found >= 0 else { throw failure() }
                if found == 0 { return }
                count += found
            }
        }
    }

    /// Gives the file its size and its blocks. Written and not only reserved, because the first write to a reserved block changes the
    /// metadata of the file system, which a flush then waits for.
    private static func prepare(_ path: String, _ capacity: Int) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw JournalError(system: errno, expected: "to open \(path)") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw JournalError(.damaged, "expected a file at \(path), got something else")
        }
        guard Int(status.st_size) != capacity || Int(status.st_blocks) * 512 < capacity else { return }
        let page = [UInt8](repeating: 0, count: pageSize)
        var isWritten = ftruncate(descriptor, off_t(capacity)) == 0
        // Single pages: the system would count each later write as one of as many pages as were written together.
        for start in stride(from: 0, to: capacity, by: pageSize) where isWritten {
            isWritten = pwrite(descriptor, page, pageSize, off_t(start)) == pageSize
        }
        guard isWritten, fsync(descriptor) == 0 else {
            let failure = JournalError(system: errno, expected: "to write \(capacity) bytes to \(path)")
            // What was written takes room that others need.
            unlink(path)
            throw failure
        }
        try JournalDirectory.synchronize(JournalDirectory.parent(of: path))
    }

    /// Opens the file so that each write is flushed, and past the cache of the system if the disk writes small blocks: the cache would
    /// write whole pages.
    private static func openForWriting(_ path: String) throws -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_DSYNC)
        guard descriptor >= 0 else { throw JournalError(system: errno, expected: "to open \(path)") }
        guard granary_set_direct(descriptor, true) == 0 else { return descriptor }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: pageSize)
        defer { block.deallocate() }
        block.initializeMemory(as: UInt8.self, repeating: 0)
        // Refused by a disk with larger blocks. No record begins there with the salt of this process.
        if pwrite(descriptor, block.baseAddress, blockSize, 0) == blockSize { return descriptor }
        guard granary_set_direct(descriptor, false) == 0 else {
            close(descriptor)
            throw JournalError(.unsupported, "expected to write \(path) through the cache of the system")
        }
        return descriptor
    }
}

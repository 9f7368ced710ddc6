import Glibc

/// How far the row log of a process was acknowledged.
struct RowPosition: Equatable {
    /// The salt of the row log; 0 if none is used.
    var salt: UInt64
    /// The position at which the last record ends.
    var end: UInt64
}

/// A file with the positions of the last commits that were acknowledged, which the next process compares with the log and the row log.
///
/// It is mapped memory: storing a position writes eight bytes, and the kernel writes them to the disk some time later. After a loss of
/// power, an older position is found, which is no worse than none.
final class PositionFile {
    // The position in the log, and the end and the salt of the row log.
    private static let size = 24
    private let memory: UnsafeMutableRawPointer

    /// Maps a file, which is created if it does not exist; nil if that is not possible, such as on a full disk.
    init?(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var positions = [UInt8](repeating: 0, count: PositionFile.size)
        let count = pread(descriptor, &positions, PositionFile.size, 0)
        // Written, because memory of a file without blocks ends the process when the disk is full. Older builds have written eight bytes.
        guard
            count == PositionFile.size
                || pwrite(descriptor, &positions, PositionFile.size, 0) == PositionFile.size
        else { return nil }
        let mapped = mmap(nil, PositionFile.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let mapped, mapped != MAP_FAILED else { return nil }
        memory = mapped
    }

    deinit { munmap(memory, PositionFile.size) }

    var position: LogPosition {
        get {
            let bits = memory.load(as: UInt64.self)
            return LogPosition(salt: UInt32(truncatingIfNeeded: bits >> 32), frames: UInt32(truncatingIfNeeded: bits))
        }
        // One store: a process that ends leaves the former position or this one.
        set { memory.storeBytes(of: UInt64(newValue.salt) << 32 | UInt64(newValue.frames), as: UInt64.self) }
    }

    /// The position in the row log.
    var rows: RowPosition {
        get {
            RowPosition(
                salt: memory.load(fromByteOffset: 16, as: UInt64.self),
                end: memory.load(fromByteOffset: 8, as: UInt64.self))
        }
        set {
            // In this order: a process that ends in between leaves the former salt, whose row log is at least that long, or is not used.
            if newValue.salt != rows.salt { memory.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self) }
            memory.storeBytes(of: newValue.salt, toByteOffset: 16, as: UInt64.self)
            memory.storeBytes(of: newValue.end, toByteOffset: 8, as: UInt64.self)
        }
    }

    /// Flushes the positions. Those that follow have salts that can be compared with them.
    func flush() { msync(memory, PositionFile.size, MS_SYNC) }
}

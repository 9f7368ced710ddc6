import Glibc

/// A file with the position of the last commit that was acknowledged, which the next process compares with the log.
///
/// It is mapped memory: storing a position writes eight bytes, and the kernel writes them to the disk some time later. After a loss of
/// power, an older position is found, which is no worse than none.
final class PositionFile {
    private let memory: UnsafeMutableRawPointer

    /// Maps a file, which is created if it does not exist; nil if that is not possible, such as on a full disk.
    init?(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var position: UInt64 = 0
        let count = pread(descriptor, &position, 8, 0)
        // Written, because memory of a file without blocks ends the process when the disk is full.
        guard count == 8 || pwrite(descriptor, &position, 8, 0) == 8 else { return nil }
        let mapped = mmap(nil, 8, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let mapped, mapped != MAP_FAILED else { return nil }
        memory = mapped
    }

    deinit { munmap(memory, 8) }

    var position: LogPosition {
        get {
            let bits = memory.load(as: UInt64.self)
            return LogPosition(salt: UInt32(truncatingIfNeeded: bits >> 32), frames: UInt32(truncatingIfNeeded: bits))
        }
        // One store: a process that ends leaves the former position or this one.
        set { memory.storeBytes(of: UInt64(newValue.salt) << 32 | UInt64(newValue.frames), as: UInt64.self) }
    }

    /// Flushes the position. Positions that follow have salts that can be compared with it.
    func flush() { msync(memory, 8, MS_SYNC) }
}

import Glibc

// Programs that use the database without the lock of the directory.
extension JournalDirectory {
    /// The first of the bytes of a database that SQLite locks, and their number (https://sqlite.org/src/file/src/os.h).
    private static let lockedBytes = (start: 0x4000_0000, count: 512)

    /// A process that has locked the database, with its name; nil if there is none, or its number is not known here, as in another
    /// container. Call while no connection of this process is open, because closing a descriptor releases its locks.
    var userOfDatabase: String? {
        let descriptor = open(database, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(JournalDirectory.lockedBytes.start)
        lock.l_len = off_t(JournalDirectory.lockedBytes.count)
        guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid > 0 else { return nil }
        guard let file = fopen("/proc/\(lock.l_pid)/comm", "re") else { return "process \(lock.l_pid)" }
        defer { fclose(file) }
        var name = [UInt8](repeating: 0, count: 64)
        let count = fread(&name, 1, name.count, file)
        let text = String(decoding: name.prefix(count).filter { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
        return "process \(lock.l_pid) (\(text))"
    }
}

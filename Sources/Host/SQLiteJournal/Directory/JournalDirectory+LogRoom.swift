import CLinux
import Glibc
import MachineHost

// The room on the disk that the write-ahead log has before it needs it.
extension JournalDirectory {
    /// The size of the room in bytes: the log seldom becomes larger.
    static let logRoom: Int64 = 16 << 20

    /// Takes the room for a log that was just opened, unless little else would be free.
    ///
    /// - Returns: Whether the log has the room.
    func takeLogRoom() -> Bool {
        var status = stat()
        guard lstat(log, &status) == 0 else { return false }
        // An earlier process has taken it. The blocks after the end of the file stay its own.
        if Int64(status.st_blocks) * 512 >= JournalDirectory.logRoom { return true }
        guard let free = try? freeBytes(), free >= 4 * JournalDirectory.logRoom else { return false }
        return reserveLogRoom()
    }

    /// Has the file system give the log its blocks, without a change of its size. Returns whether it does.
    @discardableResult
    func reserveLogRoom() -> Bool {
        let descriptor = open(log, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        // SQLite locks the database, never the log, so closing a descriptor of the log releases no lock.
        defer { Glibc.close(descriptor) }
        return granary_reserve_blocks(descriptor, JournalDirectory.logRoom) == 0
    }

    /// Returns whether the row log may take a number of bytes: whether it has them already, or the disk has much more room.
    func hasRoomForRowLog(of bytes: Int) -> Bool {
        var status = stat()
        if lstat(rowLog, &status) == 0, Int(status.st_blocks) * 512 >= bytes { return true }
        return (try? freeBytes()).map { $0 >= 4 * JournalDirectory.logRoom } ?? false
    }

    /// Returns the bytes that the disk still has room for.
    func freeBytes() throws -> Int64 {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else {
            throw JournalError(system: errno, expected: "to read the free space of \(path)")
        }
        return Int64(
            clamping: UInt64(disk.f_bavail).multipliedReportingOverflow(by: UInt64(disk.f_frsize)).partialValue)
    }
}

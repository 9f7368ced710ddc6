import Glibc
import MachineHost

/// The file in the state directory in which loops note their turns in progress.
enum TurnSlotFile {
    /// The number of loops that have a place.
    private static let loops = 256

    /// Maps the file of a directory, and creates it if necessary. Call while no other process uses the directory.
    ///
    /// - Parameters:
    ///   - directory: The state directory.
    ///   - reserve: Gives a file the blocks for a number of bytes. Returns an error number, or 0.
    /// - Returns: The memory; nil if the disk has no room for it.
    /// - Throws: `JournalError` if the file cannot be mapped.
    static func open(
        in directory: String, reserve: (_ descriptor: Int32, _ size: Int) -> Int32 = { posix_fallocate($0, 0, $1) }
    ) throws -> TurnSlots? {
        let path = directory + "/turns"
        let size = loops * TurnSlots.stride
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("to open \(path)") }
        defer { close(descriptor) }
        // A page without a block cannot be written while the disk is full: SIGBUS would end the process.
        var error = reserve(descriptor, size)
        while error == EINTR { error = reserve(descriptor, size) }
        guard error != ENOSPC, error != EDQUOT else { return nil }
        errno = error
        guard error == 0 else { throw failure("to reserve \(size) bytes for \(path)") }
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let memory, memory != MAP_FAILED else {
            throw failure("to map \(path)")
        }
        // Never unmapped: the loops use it until the process ends.
        return TurnSlots(UnsafeMutableRawBufferPointer(start: memory, count: size))
    }

    /// Returns the error of the last system call.
    private static func failure(_ expected: String) -> JournalError {
        JournalError(.inputOutput, "expected \(expected), got \(String(cString: strerror(errno)))")
    }
}

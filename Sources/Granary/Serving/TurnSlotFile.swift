import Glibc
import MachineHost

/// The file in the state directory in which loops note their turns in progress.
enum TurnSlotFile {
    /// The number of loops that have a place.
    private static let loops = 256

    /// Maps the file of a directory, and creates it if necessary. Call while no other process uses the directory.
    ///
    /// - Throws: `JournalError` if the file cannot be mapped.
    static func open(in directory: String) throws -> TurnSlots {
        let path = directory + "/turns"
        let size = loops * TurnSlots.stride
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("to open \(path)") }
        defer { close(descriptor) }
        guard ftruncate(descriptor, size) == 0 else {
            throw failure("to set the size of \(path)")
        }
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

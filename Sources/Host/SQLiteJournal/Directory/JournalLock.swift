import Glibc
import MachineHost

/// The lock of a journal's directory, which one process holds at a time.
///
/// The lock belongs to an open file description. A process that receives the descriptor over a socket holds the same lock: it
/// continues when the sender closes its own descriptor or ends.
public final class JournalLock {
    /// The descriptor of the locked file. Whoever has a duplicate holds the lock, too.
    public let descriptor: Int32
    private let path: String

    /// Locks a directory, which is created if it does not exist.
    ///
    /// - Throws: `JournalError(.held)` with the name of the holder if another process holds the lock.
    public convenience init(directory: String) throws {
        try self.init(JournalDirectory(directory))
    }

    /// Checks whether a directory could be locked: that it is one, belongs to this user and is accessible to nobody else. Creates
    /// nothing; a directory that does not exist has no problem.
    ///
    /// - Throws: `JournalError`, as the lock would.
    package static func check(directory: String) throws { try JournalDirectory.check(directory) }

    /// Adopts a descriptor of another process's lock.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, which then belongs to the lock, unless this throws.
    ///   - directory: The directory whose lock it must be.
    /// - Throws: `JournalError(.held)` if the descriptor does not hold the lock of this directory.
    public init(adopting descriptor: Int32, directory: String) throws {
        path = try JournalDirectory(directory).lock
        guard JournalLock.isSame(descriptor, path) else {
            throw JournalError(.held, "expected a descriptor of \(path), got one of another file")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw JournalLock.failure(errno, path) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.descriptor = descriptor
    }

    init(_ directory: JournalDirectory) throws {
        path = directory.lock
        // The file may be replaced between opening and locking; the lock of the old one is worth nothing.
        for _ in 0..<16 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw JournalError(system: errno, expected: "to open \(path)") }
            guard JournalLock.lock(descriptor) else {
                let failure = JournalLock.failure(errno, path)
                Glibc.close(descriptor)
                throw failure
            }
            if JournalLock.isSame(descriptor, path) {
                self.descriptor = descriptor
                return
            }
            Glibc.close(descriptor)
        }
        throw JournalError(.held, "expected \(path) to stay the same file, but other processes replace it")
    }

    // Only closing: LOCK_UN would also release the lock of a process that has adopted the descriptor.
    deinit { Glibc.close(descriptor) }

    /// Whether a process has been recorded as the holder.
    var hasHolder: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_size > 0
    }

    /// Records this process as the holder.
    ///
    /// - Throws: `JournalError` if the file cannot be written.
    public func recordHolder() throws {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let text = "process \(getpid()) on \(host) since \(JournalDirectory.text(of: .now()))\n"
        let bytes = Array(text.utf8)
        guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count, ftruncate(descriptor, off_t(bytes.count)) == 0
        else { throw JournalError(system: errno, expected: "to write \(path)") }
    }

    /// Locks a file. Returns whether it is locked.
    private static func lock(_ descriptor: Int32) -> Bool {
        // A process that another thread starts has a copy of each descriptor until it runs its program, also of one that this
        // process has just closed. So the lock of a closed journal may last a little longer.
        for _ in 0..<20 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            guard errno == EWOULDBLOCK || errno == EINTR else { return false }
            usleep(5000)
        }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    private static func failure(_ error: Int32, _ path: String) -> JournalError {
        guard error == EWOULDBLOCK else { return JournalError(system: error, expected: "to lock \(path)") }
        let directory = JournalDirectory.parent(of: path)
        return JournalError(
            .held,
            "expected no other process to use \(directory), but it is held by \(holder(path) ?? "another process")")
    }

    /// Returns the text that the holder has recorded.
    private static func holder(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).prefix { $0 >= 0x20 }, as: UTF8.self)
    }

    private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev
            && opened.st_ino == named.st_ino
    }
}

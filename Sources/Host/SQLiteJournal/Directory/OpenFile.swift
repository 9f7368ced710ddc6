import Glibc
import MachineHost

/// A file that SQLite has open, and the path at which the next process will look for it.
///
/// SQLite continues to write into a file that was deleted, renamed, replaced or cut, and reports no error.
struct OpenFile {
    let path: String
    // As long as SQLite has the file open, no other file can get these numbers, also after it was deleted.
    private let device: dev_t
    private let number: ino_t
    /// The number of bytes that it has at least. SQLite never shortens the database, and shortens the log only on request.
    fileprivate var size: off_t

    /// Remembers the file at a path, which SQLite has just opened.
    init(_ path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw JournalError(system: errno, expected: "to find \(path)") }
        self.path = path
        (device, number, size) = (status.st_dev, status.st_ino, status.st_size)
    }

    /// Throws unless the path still leads to the file, and the file has the bytes that it had. A renamed directory fails as well.
    mutating func verify() throws {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            let reason = JournalError.text(ofSystemError: errno)
            throw failure("got: \(reason); the file or its directory was removed or renamed")
        }
        guard status.st_dev == device, status.st_ino == number else {
            throw failure("got another file (inode \(status.st_ino) on device \(status.st_dev)); it was replaced")
        }
        guard status.st_size >= size else { throw failure("got \(status.st_size) of its \(size) bytes; it was cut") }
        size = status.st_size
    }

    /// Whether the path still leads to the file.
    var isInPlace: Bool {
        var file = self
        return (try? file.verify()) != nil
    }

    private func failure(_ found: String) -> JournalError {
        JournalError(
            .inputOutput, "expected \(path) to be the open file (inode \(number) on device \(device)), \(found)")
    }
}

/// The files of an open database. With `locking_mode=EXCLUSIVE`, the index of the log is in memory.
struct DatabaseFiles {
    private var database: OpenFile
    private var log: OpenFile
    private var rowLog: OpenFile?

    /// Remembers the files of a directory's database, which SQLite has just opened with its log.
    init(_ directory: JournalDirectory) throws {
        database = try OpenFile(directory.database)
        log = try OpenFile(directory.log)
    }

    /// Remembers the row log, which has just been opened.
    mutating func add(rowLog path: String) throws { rowLog = try OpenFile(path) }

    /// Forgets the row log, from which nothing is needed any more.
    mutating func removeRowLog() { rowLog = nil }

    /// Throws unless the next process will find all files.
    mutating func verify() throws {
        try database.verify()
        try log.verify()
        try rowLog?.verify()
    }

    /// Expects the log to become shorter.
    mutating func forgetLog() { log.size = 0 }

    /// Whether the database and its log are at their paths.
    var hasDatabase: Bool { database.isInPlace && log.isInPlace }

    /// Whether the database is at its path, and nothing is at that of the log.
    var lacksOnlyLog: Bool { database.isInPlace && JournalDirectory.size(of: log.path) == nil }

    /// Creates an empty log, as a journal that was closed leaves one, so that the next process does not take it for lost.
    func makeEmptyLog() {
        // Without it, the next process gives all sessions new epochs, which is not wrong.
        let descriptor = open(log.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor >= 0 { Glibc.close(descriptor) }
    }
}

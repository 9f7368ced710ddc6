import Glibc
import MachineHost
import ProcessLifecycle

struct JournalDirectory {
    let path: String

    var database: String { path + "/journal.sqlite" }
    /// The write-ahead log, whose name SQLite derives from that of the database.
    var log: String { database + "-wal" }
    /// The file with the newest rows.
    var rowLog: String { database + "-rows" }
    /// The file with the position of the last commit.
    var position: String { database + "-position" }
    /// The file whose lock says that a process uses the directory.
    var lock: String { path + "/lock" }

    /// Creates a directory that only this user may access, unless it exists.
    ///
    /// - Throws: `JournalError(.unprotected)` if others may access it, because whoever can read a journal can read the state of
    ///   all sessions.
    init(_ path: String) throws {
        self.path = try JournalDirectory.normalized(path)
        try JournalDirectory.create(self.path)
        var status = stat()
        guard stat(self.path, &status) == 0 else {
            throw JournalError(system: errno, expected: "to read \(self.path)")
        }
        try JournalDirectory.check(status, of: self.path)
    }

    /// Checks a directory without creating it. One that does not exist has no problem. The root user, who checks the configuration of a
    /// service, may check that of another user.
    ///
    /// - Throws: The error with which ``init(_:)`` refuses the directory.
    static func check(_ path: String) throws {
        let path = try normalized(path)
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw JournalError(system: errno, expected: "to read \(path)")
        }
        try check(status, of: path, by: geteuid() == 0 ? status.st_uid : geteuid())
    }

    /// Returns a path without slashes at its end.
    private static func normalized(_ path: String) throws -> String {
        var path = path
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        guard !path.isEmpty else {
            throw JournalError(.unsupported, "expected the path of a directory, got an empty one")
        }
        return path
    }

    private static func check(_ status: stat, of path: String, by user: uid_t = geteuid()) throws {
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw JournalError(.unsupported, "expected a directory at \(path), got a file")
        }
        guard status.st_uid == user else {
            throw JournalError(
                .unprotected, "expected \(path) to belong to user \(user), got user \(status.st_uid)")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw JournalError(
                .unprotected,
                "expected \(path) to be accessible to its owner only, got mode \(mode): run chmod 700 \(path.shellWord)"
            )
        }
    }

    private static func create(_ path: String) throws {
        if mkdir(path, 0o700) == 0 { return try synchronize(parent(of: path)) }
        switch errno {
        case EEXIST:
            return
        case ENOENT:
            let parent = parent(of: path)
            guard parent != path else { throw JournalError(system: ENOENT, expected: "to create \(path)") }
            try create(parent)
            // Another process may have created it meanwhile.
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw JournalError(system: errno, expected: "to create \(path)")
            }
            try synchronize(parent)
        case let error:
            throw JournalError(system: error, expected: "to create \(path)")
        }
    }

    /// Returns the directory that contains a file.
    static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
    }

    /// Flushes the names in a directory to the disk.
    static func synchronize(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw JournalError(system: errno, expected: "to open \(path)") }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw JournalError(system: errno, expected: "to flush \(path)") }
    }

    /// Creates an empty database that only this user may access, unless there is one.
    ///
    /// SQLite gives the write-ahead log the mode of the database.
    func prepareDatabase() throws {
        // SQLite deletes the log of a database that is missing or empty, with the batches in it.
        if (JournalDirectory.size(of: log) ?? 0) > 0, (JournalDirectory.size(of: database) ?? 0) == 0 {
            throw JournalError(.damaged, "expected a database at \(database), got only its write-ahead log")
        }
        let descriptor = open(database, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw JournalError(system: errno, expected: "to open \(database)") }
        // No connection of this process has the file open yet: closing a descriptor would release the locks of all others.
        defer { Glibc.close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw JournalError(.damaged, "expected a database at \(database), got something other than a file")
        }
        if status.st_mode & 0o177 != 0, fchmod(descriptor, 0o600) != 0 {
            throw JournalError(system: errno, expected: "to restrict \(database) to its owner")
        }
        if status.st_size == 0 { try JournalDirectory.synchronize(path) }
    }

    /// Returns the file that an earlier process has left and that is missing; nil if none is. Call before SQLite opens anything.
    ///
    /// - Parameter wasUsed: Whether an earlier process has used the directory.
    func missingFile(wasUsed: Bool) -> SQLiteJournal.Loss? {
        guard JournalDirectory.size(of: database) != nil else { return wasUsed ? .database : nil }
        return JournalDirectory.size(of: log) == nil && isWrittenWithLog ? .log : nil
    }

    /// Whether the database was written with a write-ahead log, which no process of this program removes. Backups were not.
    private var isWrittenWithLog: Bool {
        let descriptor = open(database, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        // https://sqlite.org/fileformat2.html#file_format_version_numbers
        var versions: [UInt8] = [0, 0]
        return pread(descriptor, &versions, 2, 18) == 2 && versions == [2, 2]
    }

    /// Gives the database and its log names that contain the time, and returns the new path of the database.
    func moveAside() throws -> String {
        let time = JournalDirectory.text(of: .now()).filter { $0 != ":" && $0 != "-" }
        var target = "\(path)/journal-\(time).sqlite"
        var attempt = 1
        while JournalDirectory.size(of: target) != nil || JournalDirectory.size(of: target + "-wal") != nil {
            attempt += 1
            target = "\(path)/journal-\(time)-\(attempt).sqlite"
        }
        // The log first: without its database it is recognized as damage, and the reverse would lose its batches.
        for suffix in ["-rows", "-wal", "-journal", ""] where JournalDirectory.size(of: database + suffix) != nil {
            guard rename(database + suffix, target + suffix) == 0 else {
                throw JournalError(system: errno, expected: "to rename \(database + suffix) to \(target + suffix)")
            }
        }
        try JournalDirectory.synchronize(path)
        return target
    }

    /// Returns the size of a file in bytes; nil if it does not exist.
    static func size(of path: String) -> Int64? {
        var status = stat()
        return lstat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// Returns a time as RFC 3339 text.
    static func text(of time: WallTime) -> String {
        var bytes: [UInt8] = []
        time.append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

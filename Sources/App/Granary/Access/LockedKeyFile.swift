import CLinux
import Glibc

/// A file that this process replaces as a whole while it holds the lock of the file.
final class LockedKeyFile {
    /// The path without symbolic links, so that a link stays a link.
    let path: String
    private let key: String
    private let descriptor: Int32
    private let status: stat

    /// Locks a file. Waits for other processes that replace it.
    ///
    /// - Parameter creates: Whether a file that does not exist is created, for its owner only.
    /// - Throws: If it cannot be opened.
    init(path: String, key: String, creates: Bool) throws(OperatorError) {
        let path = LockedKeyFile.resolved(path)
        while true {
            let descriptor = open(path, O_RDWR | O_CLOEXEC | (creates ? O_CREAT : 0), 0o600)
            guard descriptor >= 0 else { throw OperatorError(key, expectedTo: "open \(path) for writing", errno) }
            var (held, present) = (stat(), stat())
            guard flock(descriptor, LOCK_EX) == 0, fstat(descriptor, &held) == 0 else {
                let error = errno
                close(descriptor)
                if error == EINTR { continue }
                throw OperatorError(key, expectedTo: "lock \(path)", error)
            }
            // Another process may have replaced the file before this one had the lock.
            if stat(path, &present) == 0, held.st_ino == present.st_ino, held.st_dev == present.st_dev {
                (self.path, self.key, self.descriptor, status) = (path, key, descriptor, held)
                return
            }
            close(descriptor)
        }
    }

    deinit { close(descriptor) }

    /// Replaces the content: readers see either the previous content or the new one. The owner of the file stays the same.
    ///
    /// - Throws: If it cannot be written. Then the file is unchanged.
    func replace(with text: String) throws(OperatorError) {
        // The process that has the lock is the only one that writes a draft.
        let draft = path + ".new"
        unlink(draft)
        let target = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw OperatorError(key, expectedTo: "create \(draft)", errno) }
        defer { close(target) }
        // The server may run as another user than the operator.
        let isKept =
            status.st_uid == geteuid() && status.st_gid == getegid()
            || fchown(target, status.st_uid, status.st_gid) == 0
        guard isKept, Array(text.utf8).withUnsafeBytes({ $0.write(to: target) }), fsync(target) == 0,
            rename(draft, path) == 0
        else {
            let error = errno
            unlink(draft)
            throw OperatorError(key, expectedTo: "replace \(path)", error)
        }
        synchronizeDirectory()
    }

    /// Flushes the name to the disk. A failure is not an error: the content is there, under one name or the other.
    private func synchronizeDirectory() {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { $0 == path.utf8.startIndex ? "/" : String(path[..<$0]) } ?? "."
        try? CreatedKeyFile.synchronize(directory, for: key)
    }

    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

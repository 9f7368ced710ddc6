import Foundation
import Glibc

/// The directory with the copy of the sessions that `sessions check` restores. It is removed with this object.
///
/// The copy of a command that was killed is removed by the next command, or by the next server that starts. A lock on the
/// directory shows that its command still runs, also where processes cannot see each other, as in two containers.
final class CheckCopy {
    private static let prefix = "check-"

    let path: String
    private let descriptor: Int32

    /// Creates an empty copy.
    ///
    /// - Parameter directory: The state directory.
    init(in directory: String) throws(OperatorError) {
        CheckCopy.removeLeftovers(in: directory)
        let path = "\(directory)/\(CheckCopy.prefix)\(getpid())"
        guard mkdir(path, 0o700) == 0 else {
            throw OperatorError("expected to create \(path), got: \(String(cString: strerror(errno)))")
        }
        guard let descriptor = CheckCopy.lock(path) else {
            throw OperatorError("expected to lock \(path), but another process uses it; try again")
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        close(descriptor)
    }

    /// Removes the copies of commands that no longer run.
    static func removeLeftovers(in directory: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        where name.hasPrefix(prefix) && Int32(name.dropFirst(prefix.count)) != nil {
            guard let descriptor = lock("\(directory)/\(name)") else { continue }
            try? FileManager.default.removeItem(atPath: "\(directory)/\(name)")
            close(descriptor)
        }
    }

    /// Locks a directory, and returns its descriptor. Returns nil if another process has the lock, or it is no directory.
    private static func lock(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}

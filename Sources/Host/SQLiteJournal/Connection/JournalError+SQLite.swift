import CSQLite
import Glibc
import MachineHost

extension JournalError {
    /// Creates an error from a result code of SQLite.
    ///
    /// - Parameters:
    ///   - code: The extended result code.
    ///   - system: The error number of the last system call that failed; 0 if none failed.
    ///   - message: SQLite's text.
    ///   - expected: What was expected, as in "to open this file".
    init(sqlite code: Int32, system: Int32, message: String, expected: String) {
        let reason = system == 0 ? "" : ", \(JournalError.text(ofSystemError: system))"
        self.init(
            JournalError.kind(sqlite: code, system: system),
            "expected \(expected), got: \(message) (SQLite error \(code)\(reason))")
    }

    /// Creates an error from the number of a system call's error.
    init(system number: Int32, expected: String) {
        self.init(
            JournalError.kind(system: number) ?? .inputOutput,
            "expected \(expected), got: \(JournalError.text(ofSystemError: number))")
    }

    static func kind(sqlite code: Int32, system: Int32) -> Kind {
        switch code & 0xff {
        case SQLITE_FULL: .full
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .readOnly
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .damaged
        case SQLITE_BUSY, SQLITE_LOCKED: .held
        // A batch that no journal can store: a row with the number of another one, or an enormous content.
        case SQLITE_TOOBIG, SQLITE_CONSTRAINT: .unsupported
        // The number of the system call matters only for these: for others it may be left from an earlier call. SQLite
        // reports a quota and a file size limit as an error of the device.
        case SQLITE_IOERR, SQLITE_CANTOPEN: kind(system: system) ?? .inputOutput
        default: .inputOutput
        }
    }

    /// Returns the kind of a system call's error; nil for those that have no kind of their own.
    static func kind(system number: Int32) -> Kind? {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: .full
        case EROFS, EACCES, EPERM: .readOnly
        default: nil
        }
    }

    /// Returns the system's text for the number of an error.
    static func text(ofSystemError number: Int32) -> String {
        strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }
}

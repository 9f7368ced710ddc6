import Foundation
import Glibc
import MachineHost
import SQLiteJournal

/// Runs a command about the stored sessions of a directory: through the server that uses it, or without one.
struct SessionsRun {
    /// The state directory.
    let directory: String
    /// Reads the keys of encrypted sessions, which only some commands need; nil if there are none.
    var keys: () throws -> SecretKeys? = { nil }
    /// Prints lines to standard output.
    let print: (String) -> Void
    /// Prints lines to standard error.
    let printError: (String) -> Void

    /// Runs a command.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - machines: Returns the machines of this build, for `check`.
    /// - Returns: The exit status: 0 for success, 1 for a failure.
    func run(_ command: SessionsCommand, machines: () throws -> [MachineDefinition]) -> Int32 {
        do {
            switch command {
            case .list: return try perform(.list)
            case .show(let name): return try perform(.show(name))
            case .export(let name): return try perform(.export(name))
            case .importing(let file): return try perform(.importing(try ExportedFile.text(of: file)))
            case .fork(let name, let version): return try perform(.fork(name, at: version))
            case .delete(let name): return try perform(.delete(name))
            case .backUp(let file): return try perform(.backUp(absolute(file)))
            case .check: return try check(try machines())
            }
        } catch {
            printError("\(error)")
            return 1
        }
    }

    /// Performs a request and prints its output. Returns the exit status.
    private func perform(_ request: ArchiveRequest) throws -> Int32 {
        let (status, output) = try result(of: request)
        if status != 0 { printError(output) } else if !output.isEmpty { print(output) }
        return status
    }

    private func result(of request: ArchiveRequest) throws -> (status: Int32, output: String) {
        guard let connection = ControlConnection(directory: directory) else {
            let journal = try openJournal()
            let output = Result {
                let seal = try request.needsKeys ? SessionSeal(keys()) : SessionSeal()
                return try request.perform(with: DirectJournalAccess(journal), opening: seal)
            }
            try journal.close()
            return (0, try output.get())
        }
        guard connection.write(ControlMessage.request(request.words)),
            let result = ControlMessage.result(of: connection.readAll())
        else { throw SessionsError("expected a response of the server that uses \(directory), got none; see its log") }
        return result
    }

    private func openJournal() throws -> SQLiteJournal {
        // Opening creates what is missing, which would hide a wrong path.
        guard access("\(directory)/journal.sqlite", F_OK) == 0 else {
            throw SessionsError(
                "expected stored sessions in \(directory), found none; set sessions.stateDirectory as for the server")
        }
        return try SQLiteJournal(directory: directory)
    }

    /// Restores every session of a copy, without running anything.
    private func check(_ machines: [MachineDefinition]) throws -> Int32 {
        let copy = "\(directory)/check-\(getpid())"
        guard mkdir(copy, 0o700) == 0 else {
            throw SessionsError("expected to create \(copy), got: \(String(cString: strerror(errno)))")
        }
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let (status, output) = try result(of: .backUp(absolute("\(copy)/journal.sqlite")))
        guard status == 0 else { throw SessionsError(output) }
        let journal = try SQLiteJournal(directory: copy)
        let check = try StoredSessionCheck(of: journal, machines: machines, keys: try keys())
        try journal.close()
        for problem in check.problems { printError(problem) }
        guard check.problems.isEmpty else {
            printError("checked stored sessions: \(check.sessions), problems: \(check.problems.count)")
            return 1
        }
        print("all stored sessions can be restored: \(check.sessions)")
        return 0
    }

    /// The path for a server, which has another working directory.
    private func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }
}

/// An error of a command about sessions.
struct SessionsError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

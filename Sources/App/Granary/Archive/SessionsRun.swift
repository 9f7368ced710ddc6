import Foundation
import Glibc
import MachineHost
import SQLiteJournal

#if canImport(PostgreSQLJournal)
    import PostgreSQLJournal
#endif

/// Runs a command about the stored sessions of a directory: through the server that uses it, or without one.
struct SessionsRun {
    let directory: String
    /// The user who runs the command.
    var user = geteuid()
    /// Reads the keys of encrypted sessions, which only some commands need; nil if there are none.
    var keys: () throws -> SecretKeys? = { nil }
    /// Where the sessions are stored.
    var journal = JournalAddress.sqlite
    /// How long to wait for a database that is not in the directory.
    var journalTimeout = Duration.seconds(5)
    /// The configured file of the identity key; empty for the one in the directory.
    var identityFile = ""
    /// Prints lines to standard output.
    let print: (String) -> Void
    let printError: (String) -> Void

    /// Runs a command.
    ///
    /// - Parameter machines: Returns the machines of this build, for `check`.
    /// - Returns: The exit status: 0 for success, 1 for a failure.
    func run(_ command: SessionsCommand, machines: () throws -> [MachineDefinition]) -> Int32 {
        do {
            switch command {
            case .list: return try perform(.list)
            case .show(let name): return try perform(.show(name))
            case .export(let name): return try perform(.export(name))
            case .importing(let file): return try importSession(try ExportedFile.text(of: file), try machines())
            case .fork(let name, let version): return try perform(.fork(name, at: version))
            case .release(let name): return try perform(.release(name))
            case .delete(let name): return try perform(.delete(name))
            case .backUp(let file): return try perform(.backUp(absolute(file)))
            case .deleteAll(let machine): return try deleteAll(of: machine, try machines())
            case .check: return try check(try machines())
            }
        } catch {
            printError("\(error)")
            return 1
        }
    }

    /// Stores an exported session, if this build can restore it.
    private func importSession(_ text: String, _ machines: [MachineDefinition]) throws -> Int32 {
        if user != 0 { try requireOwner() }
        // Here, so that a machine which fails with the state ends this process and not the server.
        let keys = try keys()
        try RestorationCheck(of: machines, keys: keys).check(importOf: text)
        return try perform(.importing(text), opening: SessionSeal(keys, machines: machines))
    }

    /// Performs a request and prints its output. Returns the exit status.
    private func perform(_ request: ArchiveRequest, opening seal: SessionSeal? = nil) throws -> Int32 {
        let (status, output) = try result(of: request, opening: seal)
        if status != 0 { printError(output) } else if !output.isEmpty { print(output) }
        return status
    }

    private func result(
        of request: ArchiveRequest, opening known: SessionSeal? = nil
    ) throws -> (status: Int32, output: String) {
        // The server also serves root.
        if user != 0 { try requireOwner() }
        guard let connection = ControlConnection(directory: directory) else {
            try requireOwner()
            let journal = try openJournal()
            let output = Result {
                let seal = try known ?? (request.needsKeys ? SessionSeal(keys()) : SessionSeal())
                return try request.perform(with: DirectJournalAccess(journal), in: directory, opening: seal)
            }
            try journal.close()
            return (0, try output.get())
        }
        let message = ControlMessage.request(request.words)
        guard message.count <= ControlMessage.maxRequestBytes else {
            throw OperatorError(
                "expected a request of at most \(ControlMessage.maxRequestBytes >> 20) MiB to the server that uses \(directory), "
                    + "got \(message.count >> 20) MiB; stop the server first")
        }
        guard connection.write(message),
            let result = ControlMessage.result(of: connection.readAll())
        else { throw OperatorError("expected a response of the server that uses \(directory), got none; see its log") }
        return result
    }

    /// Deletes the sessions of a machine, and what is known about their shape.
    private func deleteAll(of name: String, _ machines: [MachineDefinition]) throws -> Int32 {
        guard let machine = machines.first(where: { $0.name == name }) else {
            let names = machines.map(\.name).joined(separator: ", ")
            throw OperatorError("--machine: expected one of \(names), got \"\(name)\"")
        }
        // A server would store its sessions again.
        guard ControlConnection(directory: directory) == nil else {
            throw OperatorError("expected that no server uses \(directory), found one; stop it first")
        }
        try requireOwner()
        let journal = try openJournal()
        let result = Result { try SessionArchive(DirectJournalAccess(journal)).deleteAll(of: machine) }
        try journal.close()
        print("deleted: \(try result.get())")
        return 0
    }

    private func openJournal() throws -> any Journal {
        if journal.directory == nil {
            #if canImport(PostgreSQLJournal)
                return try journal.openPostgreSQL(for: .disk, EngineWait(limit: journalTimeout))
            #else
                throw OperatorError(journal.problem(for: .disk) ?? "no driver")
            #endif
        }
        // Opening creates what is missing, which would hide a wrong path.
        guard access("\(directory)/journal.sqlite", F_OK) == 0 else {
            throw OperatorError(
                "expected stored sessions in \(directory), found none; set sessions.stateDirectory as for the server")
        }
        return try SQLiteJournal(directory: directory)
    }

    /// Throws if the directory exists and belongs to another user, whose sessions this one cannot read.
    private func requireOwner() throws(OperatorError) {
        var status = stat()
        guard stat(directory, &status) == 0 else {
            // Another error than a missing directory has its own message later.
            guard errno == EACCES else { return }
            throw OperatorError(
                "expected access to \(directory), got none as \(UserName.text(of: user)): run the command as the user of "
                    + "the server")
        }
        guard status.st_uid != user else { return }
        let owner = UserName.text(of: status.st_uid)
        throw OperatorError(
            "expected to run as \(owner), to whom \(directory) belongs, got \(UserName.text(of: user)): run the command "
                + "with sudo -u \(UserName.argument(of: status.st_uid))")
    }

    /// Restores every session of a copy, without running anything.
    private func check(_ machines: [MachineDefinition]) throws -> Int32 {
        // Also as root: a server could not write into the directory of another user.
        try requireOwner()
        if journal.directory == nil {
            guard ControlConnection(directory: directory) == nil else {
                throw OperatorError(
                    "expected that no server uses \(journal), found one; restore a dump of the database into another one, and check that"
                )
            }
            return try check(try openJournal(), machines)
        }
        let copy = try CheckCopy(in: directory)
        let (status, output) = try result(of: .backUp(absolute("\(copy.path)/journal.sqlite")))
        guard status == 0 else { throw OperatorError(output) }
        defer { withExtendedLifetime(copy) {} }
        return try check(try SQLiteJournal(directory: copy.path), machines)
    }

    private func check(_ journal: any Journal, _ machines: [MachineDefinition]) throws -> Int32 {
        let check = try StoredSessionCheck(of: journal, machines: machines, keys: try keys())
        let problems = try [identityProblem(in: journal)].compactMap(\.self) + check.problems
        try journal.close()
        for problem in problems { printError(problem) }
        guard problems.isEmpty else {
            printError("checked stored sessions: \(check.sessions), problems: \(problems.count)")
            return 1
        }
        print("all stored sessions can be restored: \(check.sessions)")
        return 0
    }

    /// Returns why the owners of the sessions of a copy would lose them; nil if they would not. Creates no key.
    private func identityProblem(in copy: any Journal) throws -> String? {
        do {
            var identity = try IdentityKey(identityFile, directory)
            // A server creates the file from a restored backup.
            if identity.isNew, let restored = try CopiedKey.identityKey(in: copy, of: directory) {
                identity = IdentityKey(restored, from: "\(directory)/\(AccessPlan.identityFile)")
            }
            return try identity.refusal(by: copy)?.description
        } catch let error as OperatorError {
            return error.description
        }
    }

    /// The path for a server, which has another working directory.
    private func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }
}

/// The names of users in messages.
private enum UserName {
    /// Returns the name and the number of a user.
    static func text(of user: uid_t) -> String { name(of: user).map { "\($0) (\(user))" } ?? "user \(user)" }

    /// Returns a user as sudo expects it.
    static func argument(of user: uid_t) -> String { name(of: user) ?? "'#\(user)'" }

    private static func name(of user: uid_t) -> String? {
        var (entry, found): (passwd, UnsafeMutablePointer<passwd>?) = (passwd(), nil)
        var text = [CChar](repeating: 0, count: 4096)
        guard getpwuid_r(user, &entry, &text, text.count, &found) == 0, let found else { return nil }
        return String(cString: found.pointee.pw_name)
    }
}

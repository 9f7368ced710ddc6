import CLinux
import Dispatch
import Glibc
import Locking
import Log
import MachineHost

/// Serves commands about sessions on a Unix socket in the state directory, which only the user of the server may use.
final class ControlServer: Sendable {
    private struct Listener {
        let source: any DispatchSourceRead
        let path: String
        let file: granary_file
    }

    private let writer: JournalWriter
    private let directory: String
    private let log: Log
    private let listener = Lock<UnsafeTransfer<Listener>?>(nil)
    /// The queue of imports, of which only one at a time uses the memory for its session.
    private let imports = DispatchQueue(label: "granary.imports", qos: .utility)
    /// The queue of commands, which wait for the journal.
    private let commands = DispatchQueue(label: "granary.control", qos: .utility, attributes: .concurrent)

    /// Creates the server of a directory. Does not listen.
    init(_ writer: JournalWriter, in directory: String, log: Log) {
        self.writer = writer
        self.directory = directory
        self.log = log
    }

    /// The path of the socket of a directory.
    static func path(in directory: String) -> String { "\(directory)/control" }

    /// Listens in the directory, whose journal this process has opened. Without the socket, commands report that the server
    /// holds the directory.
    func start() {
        let path = ControlServer.path(in: directory)
        var file = granary_file()
        let socket = granary_listen_unix(path, 0o600, 16, &file)
        guard socket >= 0 else {
            let reason = String(cString: granary_error_text(-socket))
            log(.warning, "the control socket is not available", ["path": .text(path), "reason": .text(reason)])
            return
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: commands)
        source.setEventHandler { [self] in accept(from: socket) }
        source.setCancelHandler { granary_close(socket) }
        source.activate()
        let started = UnsafeTransfer(Listener(source: source, path: path, file: file))
        listener.withLock { $0 = started }
    }

    /// Stops listening. Commands in progress fail when the journal is closed.
    func stop() {
        let taken = listener.withLock { listener in
            defer { listener = nil }
            return listener
        }
        guard let listener = taken?.value else { return }
        var file = listener.file
        granary_remove_socket(listener.path, &file)
        listener.source.cancel()
    }

    private func accept(from socket: Int32) {
        var peer = granary_peer()
        let connection = granary_accept(socket, &peer)
        guard connection >= 0 else { return }
        commands.async { [self] in
            serve(ControlConnection(connection))
        }
    }

    private func serve(_ connection: consuming ControlConnection) {
        guard connection.belongsToUser, let line = connection.readLine(limit: ControlMessage.maxRequestBytes) else {
            return
        }
        let (status, output) = response(to: line)
        connection.write(ControlMessage.response(status, output))
    }

    private func response(to line: [UInt8]) -> (status: Int32, output: String) {
        guard let request = ControlMessage.words(of: line).flatMap({ ArchiveRequest(words: $0) }) else {
            return (2, "the server does not know this command; it may have another version")
        }
        // A successor asks for the shape of each machine.
        let level = if case .shapes = request { LogLevel.debug } else { LogLevel.info }
        log(level, "command received", ["command": .text(request.words[0])])
        do {
            let access = WriterJournalAccess(writer)
            let perform = { [self] in try request.perform(with: access, in: directory, opening: writer.sessionSeal) }
            guard case .importing = request else { return (0, try perform()) }
            return (0, try imports.sync(execute: perform))
        } catch {
            return (1, "\(error)")
        }
    }
}

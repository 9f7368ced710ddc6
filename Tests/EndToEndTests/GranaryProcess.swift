import Foundation
import Glibc
import Testing

/// A process of the built executable.
final class GranaryProcess {
    let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    private var standardOutput = ""
    private var logged = ""

    /// Starts `granary`, or another executable at that path, with these arguments and without the environment variables
    /// of this process that would configure it.
    ///
    /// A sink replaces the pipe of standard output or standard error, which then cannot be read. The process runs in the
    /// given folder, or in that of the tests.
    init(
        _ arguments: [String], at path: String? = nil, directory: URL? = nil, environment: [String: String] = [:],
        output outputSink: OutputSink? = nil, errors errorSink: OutputSink? = nil
    ) throws {
        let program = try path ?? Self.binary.path()
        let closing = (outputSink == .closed ? " >&-" : "") + (errorSink == .closed ? " 2>&-" : "")
        process.executableURL = URL(filePath: closing.isEmpty ? program : "/bin/sh")
        process.arguments = closing.isEmpty ? arguments : ["-c", "exec \"$0\" \"$@\"\(closing)", program] + arguments
        process.currentDirectoryURL = directory
        process.environment = Self.environment.merging(environment) { $1 }
        process.standardOutput = try outputSink?.handle() ?? output
        process.standardError = try errorSink?.handle() ?? errors
        try process.run()
        // These were not passed to `Process`, so it does not close them.
        if outputSink != nil { try output.fileHandleForWriting.close() }
        if errorSink != nil { try errors.fileHandleForWriting.close() }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// The search path, a new directory for sessions, and the sanitizers' options, because nobody would read their leak
    /// reports here.
    static var environment: [String: String] {
        let names = ["ASAN_OPTIONS", "TSAN_OPTIONS"]
        let options = ProcessInfo.processInfo.environment.filter { names.contains($0.key) }
        return options.merging(["PATH": "/usr/bin:/bin", "XDG_STATE_HOME": newStateHome()]) { $1 }
    }

    /// Returns a path for the sessions of a server, because two servers cannot use one directory. It is removed when the
    /// tests end.
    static func newStateHome() -> String { "\(stateHomes)/\(UUID().uuidString)" }

    private static let stateHomes: String = {
        atexit { try? FileManager.default.removeItem(atPath: GranaryProcess.stateHomes) }
        return "/tmp/granary-tests-\(getpid())"
    }()

    /// The executable is in the same folder as the test bundle.
    static var binary: URL { get throws { try binary(named: "granary") } }

    /// Returns an executable of this package.
    static func binary(named name: String) throws -> URL {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: tests).deletingLastPathComponent().appending(path: name)
    }

    /// Waits for the line with the address; returns `nil` if the process ends before.
    func address() -> String? {
        announced(/serves on http:\/\/(\S+)\n/).map { String($0.1) }
    }

    /// Waits for the lines with the cleartext and TLS addresses; returns `nil` if the process ends before.
    func addresses() -> (cleartext: String, secure: String)? {
        announced(/serves on http:\/\/(\S+)\nand on https:\/\/(\S+)\n/).map { (String($0.1), String($0.2)) }
    }

    private func announced<Match>(_ lines: Regex<Match>) -> Match? {
        while true {
            if let found = Self.take(lines, from: &standardOutput) { return found }
            let data = output.fileHandleForReading.someData()
            guard !data.isEmpty else { return nil }
            standardOutput += String(decoding: data, as: UTF8.self)
        }
    }

    /// Waits for the next printed lines that match, of this process or its successor, without blocking a shared thread.
    /// Returns `nil` if all of these processes end before.
    func nextAnnounced<Match>(_ lines: Regex<Match>) async -> Match? {
        while true {
            if let found = Self.take(lines, from: &standardOutput) { return found }
            let handle = output.fileHandleForReading
            let data = await onThread { handle.someData() }
            guard !data.isEmpty else { return nil }
            standardOutput += String(decoding: data, as: UTF8.self)
        }
    }

    /// Waits for the next log lines that match, of this process or its successor, without blocking a shared thread.
    /// Returns `nil` if all of these processes end before.
    func logged<Match>(_ lines: Regex<Match>) async -> Match? {
        while true {
            if let found = Self.take(lines, from: &logged) { return found }
            let handle = errors.fileHandleForReading
            let data = await onThread { handle.someData() }
            guard !data.isEmpty else { return nil }
            logged += String(decoding: data, as: UTF8.self)
        }
    }

    /// Removes the match from the text. Earlier lines stay, because the lines of two processes arrive in any order.
    private static func take<Match>(_ lines: Regex<Match>, from text: inout String) -> Match? {
        guard let match = text.firstMatch(of: lines) else { return nil }
        text.removeSubrange(match.range)
        return match.output
    }

    /// Sends a signal and waits for the end of the process.
    func end(with signal: Int32) -> (status: Int32, reason: Process.TerminationReason) {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return (process.terminationStatus, process.terminationReason)
    }

    /// Waits for the end of the process. Returns its status, its standard output and its standard error.
    func outcome() -> (status: Int32, standardOutput: String, standardError: String) {
        let standardOutput = output.fileHandleForReading.readDataToEndOfFile()
        let standardError = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: standardOutput, as: UTF8.self),
            String(decoding: standardError, as: UTF8.self)
        )
    }
}

/// An output that cannot be written or is not read.
enum OutputSink: CaseIterable {
    /// A pipe whose reader has closed it.
    case readerGone
    /// A device without free space.
    case full
    /// A closed descriptor.
    case closed
    /// A full pipe whose reader never reads.
    case stalled
    /// The same in non-blocking mode.
    case stalledWithoutBlocking

    /// Returns the descriptor for the process to start. A shell closes it later for some cases.
    fileprivate func handle() throws -> Any {
        switch self {
        case .full: return try #require(FileHandle(forWritingAtPath: "/dev/full"))
        case .closed: return FileHandle.nullDevice
        case .readerGone, .stalled, .stalledWithoutBlocking:
            // Opened through a file: processes that other tests start meanwhile would inherit the ends of `pipe`.
            let path = "/tmp/granary-\(UUID().uuidString)"
            try #require(mkfifo(path, 0o600) == 0)
            defer { unlink(path) }
            let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            let writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            try #require(reader >= 0 && writer >= 0)
            if self == .readerGone {
                close(reader)
            } else {
                // The reader stays open until this process ends.
                let bytes = [UInt8](repeating: 0x0A, count: 4096)
                while write(writer, bytes, bytes.count) > 0 {}
                if self == .stalled { _ = fcntl(writer, F_SETFL, 0) }
            }
            return FileHandle(fileDescriptor: writer, closeOnDealloc: true)
        }
    }
}

extension FileHandle {
    /// Waits for bytes and returns those that have arrived, or nothing at the end. Unlike `availableData`, this method
    /// does not terminate the process when a signal interrupts the wait.
    func someData() -> Data {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var count = Glibc.read(fileDescriptor, &buffer, buffer.count)
        while count < 0, errno == EINTR { count = Glibc.read(fileDescriptor, &buffer, buffer.count) }
        return Data(buffer.prefix(max(0, count)))
    }
}

/// Runs blocking work on a separate thread, because all tests share a few threads.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}

/// A run of curl.
struct Curl {
    static func run(_ arguments: [String]) throws -> String {
        let curl = try start(arguments)
        let data = curl.output.readDataToEndOfFile()
        curl.process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    static func start(_ arguments: [String]) throws -> (process: Process, output: FileHandle) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/curl")
        process.arguments = ["-sS", "--max-time", "600"] + arguments
        process.standardOutput = pipe
        try process.run()
        return (process, pipe.fileHandleForReading)
    }
}

import Foundation
import Glibc
import Testing

/// The built binary, running.
final class GranaryProcess {
    let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    private var printed = ""
    private var logged = ""

    /// Starts `granary`, or what else lies at that path, with these arguments and nothing of this process's environment
    /// that would configure it.
    ///
    /// A sink replaces the pipe of standard output or of standard error, of which nothing can be read then.
    init(
        _ arguments: [String], at path: String? = nil, environment: [String: String] = [:],
        output outputSink: OutputSink? = nil, errors errorSink: OutputSink? = nil
    ) throws {
        let program = try path ?? Self.binary.path()
        let closing = (outputSink == .closed ? " >&-" : "") + (errorSink == .closed ? " 2>&-" : "")
        process.executableURL = URL(filePath: closing.isEmpty ? program : "/bin/sh")
        process.arguments = closing.isEmpty ? arguments : ["-c", "exec \"$0\" \"$@\"\(closing)", program] + arguments
        process.environment = Self.environment.merging(environment) { $1 }
        process.standardOutput = try outputSink?.handle() ?? output
        process.standardError = try errorSink?.handle() ?? errors
        try process.run()
        // Nobody else closes these.
        if outputSink != nil { try output.fileHandleForWriting.close() }
        if errorSink != nil { try errors.fileHandleForWriting.close() }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Where programs are found, and what a sanitizer is told, whose report on leaks nobody here would read.
    static var environment: [String: String] {
        let names = ["ASAN_OPTIONS", "TSAN_OPTIONS"]
        let options = ProcessInfo.processInfo.environment.filter { names.contains($0.key) }
        return options.merging(["PATH": "/usr/bin:/bin"]) { $1 }
    }

    /// The product lies beside the bundle of the tests.
    static var binary: URL {
        get throws {
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(filePath: tests).deletingLastPathComponent().appending(path: "granary")
        }
    }

    /// Waits for the line that says where it serves; nil if it ends before.
    func address() -> String? {
        announced(/serves on http:\/\/(\S+)\n/).map { String($0.1) }
    }

    /// Waits for the lines that say where it serves, in cleartext and over TLS; nil if it ends before.
    func addresses() -> (cleartext: String, secure: String)? {
        announced(/serves on http:\/\/(\S+)\nand on https:\/\/(\S+)\n/).map { (String($0.1), String($0.2)) }
    }

    private func announced<Match>(_ lines: Regex<Match>) -> Match? {
        while true {
            if let found = Self.take(lines, from: &printed) { return found }
            let data = output.fileHandleForReading.someData()
            guard !data.isEmpty else { return nil }
            printed += String(decoding: data, as: UTF8.self)
        }
    }

    /// Waits for the next lines that are printed like this, by this process or one that has taken over, and keeps no thread
    /// for it; nil if all end before.
    func nextAnnounced<Match>(_ lines: Regex<Match>) async -> Match? {
        while true {
            if let found = Self.take(lines, from: &printed) { return found }
            let handle = output.fileHandleForReading
            let data = await onThread { handle.someData() }
            guard !data.isEmpty else { return nil }
            printed += String(decoding: data, as: UTF8.self)
        }
    }

    /// Waits for the next lines of the log that are like this, from this process or one that has taken over, and keeps no
    /// thread for it; nil if all end before.
    func logged<Match>(_ lines: Regex<Match>) async -> Match? {
        while true {
            if let found = Self.take(lines, from: &logged) { return found }
            let handle = errors.fileHandleForReading
            let data = await onThread { handle.someData() }
            guard !data.isEmpty else { return nil }
            logged += String(decoding: data, as: UTF8.self)
        }
    }

    /// Takes what is looked for out of the text. What precedes it stays: the lines of two processes come in any order.
    private static func take<Match>(_ lines: Regex<Match>, from text: inout String) -> Match? {
        guard let match = text.firstMatch(of: lines) else { return nil }
        text.removeSubrange(match.range)
        return match.output
    }

    /// Sends the signal and waits for the end.
    func end(with signal: Int32) -> (status: Int32, reason: Process.TerminationReason) {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return (process.terminationStatus, process.terminationReason)
    }

    /// Waits for the end, and answers with the status and what was printed and complained.
    func outcome() -> (status: Int32, printed: String, complained: String) {
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: printed, as: UTF8.self),
            String(decoding: complained, as: UTF8.self)
        )
    }
}

/// Somewhere to print where nothing can be printed.
enum OutputSink: CaseIterable {
    /// A pipe whose reader has closed it.
    case readerGone
    /// A device without room.
    case full
    /// No open descriptor.
    case closed
    /// A pipe that is full and has a reader which never reads.
    case stalled
    /// The same, without waiting.
    case stalledWithoutBlocking

    /// What the descriptor is when the program starts, or is before a shell closes it.
    fileprivate func handle() throws -> Any {
        switch self {
        case .full: return try #require(FileHandle(forWritingAtPath: "/dev/full"))
        case .closed: return FileHandle.nullDevice
        case .readerGone, .stalled, .stalledWithoutBlocking:
            // A file in between, as `pipe` cannot keep its ends from processes that other tests start meanwhile.
            let path = "/tmp/granary-\(UUID().uuidString)"
            try #require(mkfifo(path, 0o600) == 0)
            defer { unlink(path) }
            let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            let writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            try #require(reader >= 0 && writer >= 0)
            if self == .readerGone {
                close(reader)
            } else {
                // The reader stays open for as long as this process lives.
                let bytes = [UInt8](repeating: 0x0A, count: 4096)
                while write(writer, bytes, bytes.count) > 0 {}
                if self == .stalled { _ = fcntl(writer, F_SETFL, 0) }
            }
            return FileHandle(fileDescriptor: writer, closeOnDealloc: true)
        }
    }
}

extension FileHandle {
    /// Waits for bytes and returns those that have arrived; empty at the end. Unlike `availableData` it does not stop the
    /// process when a signal interrupts the wait.
    func someData() -> Data {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var count = Glibc.read(fileDescriptor, &buffer, buffer.count)
        while count < 0, errno == EINTR { count = Glibc.read(fileDescriptor, &buffer, buffer.count) }
        return Data(buffer.prefix(max(0, count)))
    }
}

/// Does what blocks on a thread of its own: the few on which tests run are for all of them.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}

/// One run of curl.
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
        process.arguments = ["-sS", "--max-time", "120"] + arguments
        process.standardOutput = pipe
        try process.run()
        return (process, pipe.fileHandleForReading)
    }
}

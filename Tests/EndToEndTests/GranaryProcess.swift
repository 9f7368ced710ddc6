import Foundation
import Testing

/// The built binary, running.
final class GranaryProcess {
    let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    /// Starts `granary` with these arguments and nothing of this process's environment that would configure it.
    init(_ arguments: [String]) throws {
        process.executableURL = try Self.binary
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin"]
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// The product lies beside the bundle of the tests.
    private static var binary: URL {
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
        var text = ""
        while true {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { return nil }
            text += String(decoding: data, as: UTF8.self)
            if let match = text.firstMatch(of: lines) { return match.output }
        }
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

/// One run of curl, so that what the README shows is what is tested.
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
        process.arguments = ["-sS", "--max-time", "20"] + arguments
        process.standardOutput = pipe
        try process.run()
        return (process, pipe.fileHandleForReading)
    }
}

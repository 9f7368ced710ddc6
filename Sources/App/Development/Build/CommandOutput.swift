import Dispatch
import Glibc
import ProcessLifecycle

/// The output of a child process, read line by line.
final class CommandOutput {
    /// The number of bytes that are kept: enough for many errors.
    private static let limit = 256 << 10

    private var unfinished: [UInt8] = []
    private var kept: [UInt8] = []

    /// Starts a program and reads what it prints.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments, without its name.
    ///   - environment: Its environment variables.
    ///   - onlyErrors: Whether its standard output is that of this process.
    ///   - queue: The queue on which the closures are called.
    ///   - lines: Receives each line.
    ///   - ended: Receives the first lines together, up to a limit, when the last process that could print has ended.
    static func start(
        _ path: String, _ arguments: [String], environment: [String: String], onlyErrors: Bool = false,
        on queue: DispatchQueue, lines: @escaping (String) -> Void, ended: @escaping (String) -> Void
    ) throws(DevelopmentError) -> ChildProcess {
        let (reading, writing) = try Program.pipe()
        defer { close(writing) }
        do {
            let child = try Program.start(
                path, arguments, environment: environment, output: onlyErrors ? nil : writing, errors: writing)
            let output = CommandOutput()
            PeerReader.begin(reading, capacity: 64 << 10, on: queue) { output.receive($0, lines, ended) }
            return child
        } catch {
            close(reading)
            throw error
        }
    }

    /// Handles bytes, none of them at the end.
    private func receive(_ bytes: [UInt8], _ lines: (String) -> Void, _ ended: (String) -> Void) {
        unfinished += bytes
        var rest = unfinished[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            take(rest[..<end], lines)
            rest = rest[(end + 1)...]
        }
        unfinished = Array(rest)
        guard bytes.isEmpty else { return }
        if !unfinished.isEmpty { take(unfinished[...], lines) }
        ended(String(decoding: kept, as: UTF8.self))
    }

    private func take(_ line: ArraySlice<UInt8>, _ lines: (String) -> Void) {
        if kept.count + line.count < CommandOutput.limit { kept += line + [UInt8(ascii: "\n")] }
        lines(String(decoding: line, as: UTF8.self))
    }
}

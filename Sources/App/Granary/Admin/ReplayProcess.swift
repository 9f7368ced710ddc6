import CLinux
import Dispatch
import Glibc
import HTTPModel
import Locking
import ProcessLifecycle

/// Replays recordings with the command `replay` of this program, in a process of its own: a machine that traps or does not return
/// must not end the server.
struct ReplayProcess: Sendable {
    /// The time that a replay may take.
    private static let limit = DispatchTimeInterval.seconds(60)
    /// The bytes at the end of the output that are read.
    private static let tailCount = 64 << 10

    let path: String
    /// The arguments of the server after its name, without the command.
    let flags: [String]
    let environment: [String: String]

    /// Creates the replays of a server.
    ///
    /// - Parameters:
    ///   - arguments: The arguments with which it was started.
    ///   - environment: Its environment variables.
    init(arguments: [String], environment: [String: String], path: String = "/proc/self/exe") {
        self.path = path
        let rest = arguments.dropFirst()
        flags = Array(rest.first == "serve" ? rest.dropFirst() : rest)
        self.environment = environment
    }

    /// Replays a recording.
    ///
    /// - Parameter recording: The text of an exported session.
    /// - Throws: `ProblemDetails` if it cannot be replayed.
    func run(_ recording: String) throws(ProblemDetails) -> ReplayOutcome {
        guard let input = MemoryFile(), let output = MemoryFile(), input.write(Array(recording.utf8)) else {
            throw .operationFailed("The recording could not be passed to another process.")
        }
        let child: ChildProcess
        do {
            // As 3, whose path a process can open.
            child = try ChildProcess.start(
                path, ["granary", "replay", "/proc/self/fd/3"] + flags, environment: environment,
                standard: .init(output: output.descriptor, errors: output.descriptor), descriptors: [input.descriptor],
                leadsGroup: true)
        } catch {
            throw .operationFailed("\(error).")
        }
        // Killed only before its exit is known, after which another process may have the number.
        let isRunning = Lock(true)
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + ReplayProcess.limit) {
            isRunning.withLock { if $0 { child.send(SIGKILL) } }
        }
        let status = ReplayProcess.wait(for: child, isRunning)
        let text = String(decoding: output.tail(ReplayProcess.tailCount), as: UTF8.self)
        if let outcome = ReplayOutcome(text) { return outcome }
        if status > 128 {
            throw .operationFailed(
                "The replay ended with signal \(status - 128): the machine trapped, or took too long.")
        }
        throw .operationFailed("The replay is not possible: \(text.suffix(500))")
    }

    private static func wait(for child: ChildProcess, _ isRunning: borrowing Lock<Bool>) -> Int {
        // Not reaped yet, so that its number stays valid until the lock says that it has ended.
        var information = siginfo_t()
        while waitid(P_PID, id_t(child.identifier), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        isRunning.withLock { $0 = false }
        return child.waitForExit()
    }
}

/// A file without a name, in memory if possible.
private final class MemoryFile {
    let descriptor: Int32

    /// Creates an empty file. Returns nil if the system has no room.
    init?() {
        // The root of a container may be read-only.
        let created = ["/dev/shm", "/tmp"].lazy.compactMap { MemoryFile.create(in: $0) }.first
        guard let created else { return nil }
        descriptor = created
    }

    private static func create(in folder: String) -> Int32? {
        var path = Array("\(folder)/granary-replay-XXXXXX".utf8CString)
        // Only this user may read it, and the child gets it as 3.
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return nil }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    deinit { close(descriptor) }

    /// Writes bytes. Returns whether all were written.
    func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { $0.write(to: descriptor) }
    }

    /// Returns the bytes at the end.
    func tail(_ most: Int) -> [UInt8] {
        let end = lseek(descriptor, 0, SEEK_END)
        let count = min(most, max(0, end))
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(descriptor, &bytes, count, end - count)
        return Array(bytes.prefix(max(0, read)))
    }
}

extension ProblemDetails {
    fileprivate static func operationFailed(_ detail: String) -> ProblemDetails { .operationRefused(detail) }
}

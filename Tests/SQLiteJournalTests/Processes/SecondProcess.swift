import Glibc
import Testing

/// This test program, started again, with a pipe through which it acknowledges batches.
final class SecondProcess {
    private var process: pid_t = 0
    private var pipe: Int32
    private var hasEnded = true
    /// The text that the process has written at its end, after the acknowledgements.
    private(set) var ending = ""

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - path: The directory of its journal.
    ///   - shell: A script that starts its arguments; nil to start the program directly.
    ///   - test: What the process does.
    init(_ path: String, shell: String?, test: String = "the second process commits until it ends") throws {
        var ends: [Int32] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        pipe = ends[0]
        defer { close(ends[1]) }
        var name = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &name, name.count)
        let program = String(decoding: name.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var arguments = [
            program, "--testing-library", "swift-testing", "--filter", test,
        ]
        if let shell { arguments = ["/bin/sh", "-c", shell] + arguments }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 3)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var vector: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [strdup("GRANARY_TEST_JOURNAL=\(path)")]
        for name in ["PATH", "LD_LIBRARY_PATH", "HOME", "TMPDIR"] {
            if let value = getenv(name) { environment.append(strdup("\(name)=\(String(cString: value))")) }
        }
        environment.append(nil)
        defer { for text in vector + environment { free(text) } }
        let code = posix_spawn(&process, arguments[0], &actions, nil, &vector, &environment)
        try #require(code == 0, "expected to start \(arguments[0]), got error \(code)")
        hasEnded = false
    }

    deinit {
        kill()
        close(pipe)
    }

    /// Waits until a batch was acknowledged, and returns the last one; nil if the process has ended before.
    func read(until number: UInt64) -> UInt64? {
        var last: UInt64 = 0
        while last < number {
            guard let next = readNumber() else { return nil }
            last = next
        }
        return last
    }

    /// Reads until the process has ended, and returns the last batch that was acknowledged; nil if none exists.
    func readRest() -> UInt64? {
        var last: UInt64?
        while let next = readNumber() { last = next }
        return last
    }

    /// Ends the process immediately.
    func kill() {
        guard !hasEnded else { return }
        hasEnded = true
        Glibc.kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    private func readNumber() -> UInt64? {
        var bytes = [UInt8](repeating: 0, count: 8)
        let count = Glibc.read(pipe, &bytes, 8)
        guard count == 8 else {
            ending = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            return nil
        }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }
}

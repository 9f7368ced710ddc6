import Glibc
import JournalTesting
import Locking
import MachineHost
import Testing

@testable import PostgreSQLJournal

/// The engine of all tests of this program: a server of PostgreSQL in a temporary folder, which ends with the program.
///
/// Each test has a schema of its own. Commits wait for the standby `standby` if a connection's `synchronous_commit` is `on`; by default it
/// is `local`.
final class TestEngine: Sendable {
    private static let binaries = ["17", "16", "15", "14"].map { "/usr/lib/postgresql/\($0)/bin" }
        .first { access("\($0)/initdb", X_OK) == 0 }
    private static let engine = Result { try TestEngine() }

    /// Whether PostgreSQL's server is installed.
    static let isInstalled = binaries != nil
    static let missing: Comment = "needs PostgreSQL's server: install the Debian package postgresql"

    /// The engine, which is started by the first test that uses it.
    static var shared: TestEngine { get throws { try engine.get() } }

    struct Failure: Error {
        let message: String
    }

    /// The folder, which every user may read.
    private let folder: String
    private let binaries: String
    private let schemas = Lock(0)
    /// Whoever closes it ends the server.
    private let input: Int32

    private init() throws {
        binaries = try #require(TestEngine.binaries)
        // In memory if possible: the flushes of so many small commits would take most of the time.
        let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(place)/granary-postgresql-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let started = try TestEngine.start(script: TestEngine.script, [folder, binaries])
        input = started.input
        let output = started.readLine()
        guard output == "ready" else { throw Failure(message: "expected a server, got \(output)") }
    }

    // The shell outlives a test program that is killed, also by a signal to all of its processes, and then ends the server.
    private static let script = """
        trap : INT TERM HUP
        folder=$1 binaries=$2
        as_user() { if [ "$(id -u)" -eq 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
        [ "$(id -u)" -ne 0 ] || chown postgres "$folder"
        cd "$folder"
        as_user "$binaries/initdb" -D "$folder/data" -A trust -U granary --no-sync -E UTF8 --locale=C >log 2>&1 || cat log
        {
            echo "listen_addresses = ''"
            echo "unix_socket_directories = '$folder'"
            echo "unix_socket_permissions = 0777"
            echo "synchronous_commit = local"
            echo "synchronous_standby_names = 'standby'"
            echo "shared_buffers = 16MB"
            echo "max_connections = 200"
            echo "autovacuum = off"
        } >>"$folder/data/postgresql.conf"
        as_user "$binaries/pg_ctl" -D "$folder/data" -l "$folder/data/log" -w start >/dev/null 2>&1 && echo ready || cat data/log
        read -r _
        as_user "$binaries/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1
        rm -rf "$folder"
        """

    /// A program that runs until its input ends.
    struct Started {
        let process: pid_t
        let input: Int32
        fileprivate let output: Int32

        /// Returns the first line of the output.
        fileprivate func readLine() -> String {
            var (line, byte): ([UInt8], UInt8) = ([], 0)
            while read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") || line.isEmpty { line.append(byte) }
            close(output)
            return String(decoding: line, as: UTF8.self)
        }
    }

    fileprivate static func start(script: String, _ arguments: [String]) throws -> Started {
        var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        try #require(pipe(&input) == 0 && pipe(&output) == 0)
        for end in input + output { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input[0], 0)
        posix_spawn_file_actions_adddup2(&actions, output[1], 1)
        var vector = (["/bin/sh", "-c", script, "engine"] + arguments).map { strdup($0) } + [nil]
        defer { for text in vector { free(text) } }
        var process: pid_t = 0
        try #require(posix_spawn(&process, "/bin/sh", &actions, nil, &vector, environ) == 0)
        close(input[0])
        close(output[1])
        return Started(process: process, input: input[1], output: output[0])
    }
}

extension TestEngine {
    /// Returns the name of a schema that nothing else uses.
    func makeSchema() -> String {
        schemas.withLock { schemas in
            schemas += 1
            return "test_\(schemas)"
        }
    }

    /// The path of the server's socket.
    var socket: String { "\(folder)/.s.PGSQL.5432" }

    /// Returns the address of the server, or of a proxy before it.
    func address(_ proxy: FaultyProxy? = nil, user: String = "granary", options: String = "") throws
        -> PostgreSQLAddress
    {
        let host =
            proxy.map { "127.0.0.1:\($0.port)" }
            ?? "%2F\(folder.dropFirst().split(separator: "/").joined(separator: "%2F"))"
        return try PostgreSQLAddress(
            "postgresql://\(user)@\(host)/postgres?sslmode=disable&gssencmode=disable&\(options)")
    }

    /// Runs a statement, and returns the first value of its result as text; nil if it has none.
    @discardableResult
    func run(_ text: String) throws -> String? {
        let connection = try PostgreSQLConnection(try address(), EngineWait(limit: .seconds(120)))
        let result = try connection.run([PostgreSQLRequest(PostgreSQLStatement(name: "", text: text))]).first
        return result.flatMap { $0.count > 0 && !$0.isNull(0, 0) ? $0.text(0, 0) : nil }
    }

    /// Ends the connection of the process that has the newest fence of a schema, as if the process had ended.
    func endOwner(of schema: String) throws {
        try run("SELECT pg_terminate_backend(backend, 60000)::text FROM \(schema).fences")
    }

    /// Starts a standby for which synchronous commits wait, until its input is closed.
    func startStandby() throws -> Started {
        try TestEngine.start(
            script: """
                folder=$1 binaries=$2
                mkdir -p "$folder/standby"
                "$binaries/pg_receivewal" -D "$folder/standby" --synchronous -d "host=$folder user=granary application_name=standby" \
                    </dev/null >/dev/null 2>&1 &
                read -r _
                kill $!
                wait
                """, [folder, binaries])
    }
}

extension TestEngine.Started {
    /// Ends the program, and waits for that.
    func end() {
        close(input)
        close(output)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }
}

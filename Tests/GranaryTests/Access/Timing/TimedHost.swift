import Access
import Glibc
import HTTPModel
import HTTPServerTesting
import Locking
import Log
import MachineTesting
import SQLiteJournal
import Testing

@testable import Granary
@testable import MachineHost

/// A complete server in memory, with a journal on disk, whose requests are counted or timed on the thread of the test.
final class TimedHost {
    /// The states of sessions that belong to somebody else.
    static let states = ["live", "named", "sleeping", "stored", "ended", "unreadable"]
    private static let sessionsOfEach = 8

    private let folder: KeyFolder
    private let executor = QueuedExecutor()
    private let server: HTTPVirtualServer
    private let client: HTTPTestClient
    private let ada: String
    private let bob: String
    /// The sessions by state.
    private var sessions: [String: [String]] = [:]
    /// The sessions about which the server answers without asking its host, to verify that the test notices it.
    private let leaking: Lock<Set<String>>
    /// What the host has asked its journal about sessions.
    private let calls: Lock<[String]>

    init() throws {
        folder = try KeyFolder()
        let (ada, first) = try APIKeyFile("").adding("ada")
        let (bob, both) = try APIKeyFile(first).adding("bob")
        (self.ada, self.bob) = (ada, bob)
        let hasher = PrincipalHasher(key: SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
        var access = HostAccess()
        access.authentication = AccessConfiguration(hasher: hasher)
        access.authentication?.apiKeys = APIKeys(try APIKeyFile(both), hasher: hasher)
        let leaking = Lock<Set<String>>([])
        self.leaking = leaking
        let calls = Lock<[String]>([])
        self.calls = calls
        let directory = "\(folder.path)/journal"
        // What an earlier process has left behind.
        let (former, writer) = try TimedHost.server(executor, directory, access, leaking, calls)
        let before = try former.connect()
        let queue = executor
        for state in ["stored", "unreadable"] {
            sessions[state] = try (0..<TimedHost.sessionsOfEach).map { _ in
                try TimedHost.create(before, former, queue, ada)
            }
        }
        TimedHost.runAll(former, executor)
        writer.suspend(within: .seconds(60)) {
            try? $0?.close()
        } abandoned: {
        }
        TimedHost.runAll(former, executor)
        former.end()
        try TimedHost.damage(sessions["unreadable"] ?? [], in: directory)
        (server, _) = try TimedHost.server(executor, directory, access, leaking, calls)
        client = try server.connect()
        try prepare()
    }

    private static func server(
        _ executor: QueuedExecutor, _ directory: String, _ access: HostAccess, _ leaking: Lock<Set<String>>,
        _ calls: Lock<[String]>
    ) throws -> (HTTPVirtualServer, JournalWriter) {
        var machine = MachineDefinition.talker
        machine.captureObstacles = []
        machine.hibernates = true
        let writer = JournalWriter(executor: executor) { Issue.record($0) }
        var configuration = HostConfiguration()
        configuration.hibernateAfter = .seconds(10)
        configuration.maxNewSessionsPerClient = nil
        let host = try SessionHost(
            [machine], configuration: configuration, log: .silent, journal: writer, access: access)
        let shard = Lock(UnsafeTransfer<SessionShard?>(nil))
        let server = try HTTPVirtualServer(respond: { request, loop in
            let responder = shard.withLock { shard in
                if shard.value == nil { shard = UnsafeTransfer(host.makeShard(on: loop)) }
                return UnsafeTransfer(shard.value)
            }
            // The leak: what does not have to be looked up is answered immediately.
            if leaking.withLock({ !$0.isEmpty && $0.contains(String(request.path)) }) {
                return .response(ProblemDetails.noSession.response)
            }
            return responder.value?.respond(to: request) ?? .response(HTTPResponse(status: .internalServerError))
        })
        writer.open {
            ListingJournal(try SQLiteJournal(directory: directory), calls)
        } opened: { error in
            if let error { Issue.record(error) }
        }
        executor.run()
        return (server, writer)
    }

    private static func damage(_ paths: [String], in directory: String) throws {
        let journal = try SQLiteJournal(directory: directory)
        for path in paths {
            var text = String(path.suffix(SessionID.textCount))
            let id = StoredSessionID(of: try #require(text.withUTF8 { SessionID($0) }))
            var snapshot = try #require(try journal.load(id)?.snapshot)
            snapshot.content = [1, 2, 3]
            var batch = JournalBatch()
            batch.add(.store(snapshot))
            try journal.commit(batch, isFlushed: true)
        }
        try journal.close()
    }

    /// Creates the sessions of this process.
    private func prepare() throws {
        func create(_ state: String, name: Bool = false) throws {
            sessions[state] = try (0..<TimedHost.sessionsOfEach).map { index in
                try TimedHost.create(client, server, executor, ada, name: name ? "n\(index)" : nil)
            }
        }
        try create("sleeping")
        try create("ended")
        for path in sessions["ended"] ?? [] {
            #expect(try exchange("DELETE", path, ada).response.status == 204)
        }
        server.advance(by: .seconds(30))
        TimedHost.runAll(server, executor)
        try create("live")
        try create("named", name: true)
        // Two halves of the reference.
        for half in ["none 1", "none 2"] {
            sessions[half] = (0..<TimedHost.sessionsOfEach).map { _ in
                "/v1/sessions/\(SessionID.random(onLoop: 0, of: 1).text)"
            }
        }
    }

    private static func create(
        _ client: HTTPTestClient, _ server: HTTPVirtualServer, _ executor: QueuedExecutor, _ key: String,
        name: String? = nil
    ) throws -> String {
        let body = "{\"machine\":\"talker\"\(name.map { ",\"name\":\"\($0)\"" } ?? "")}"
        try client.send(
            "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nAuthorization: ApiKey \(key)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        runAll(server, executor)
        let response = try client.receiveResponse()
        return try #require(response.fields.value(.location), "\(response.text)")
    }

    private static func runAll(_ server: HTTPVirtualServer, _ executor: QueuedExecutor) {
        repeat { server.run() } while executor.run() > 0
    }

    private static func request(_ method: String, _ path: String, _ key: String) -> [UInt8] {
        Array("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: ApiKey \(key)\r\n\r\n".utf8)
    }

    /// Returns a response without its date.
    private static func text(of response: HTTPTestResponse) -> String {
        var fields = response.fields
        fields[.date] = nil
        return "\(response.status) \(fields.lines) \(response.text)"
    }

    /// Sends a request and returns the response, with the time of the processor that it took.
    private func exchange(
        _ method: String, _ path: String, _ key: String
    ) throws -> (response: HTTPTestResponse, nanoseconds: UInt64) {
        let bytes = TimedHost.request(method, path, key)
        let start = TimedHost.processorTime()
        try client.send(bytes)
        TimedHost.runAll(server, executor)
        let end = TimedHost.processorTime()
        return (try client.receiveResponse(), end - start)
    }

    // Of the thread, so that other processes count only as far as they disturb the caches.
    private static func processorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// What a request causes.
    struct Work: Hashable {
        /// What the host asked its journal about sessions.
        var calls: [String]
        /// The number of tasks on the thread of the journal before the response was sent.
        var tasks: Int
        /// The number of rounds of the loop until then.
        var rounds: Int
        /// Whether the response was sent after these tasks and rounds.
        var isAnswered: Bool
        /// The response without its date.
        var response: String
    }

    /// Returns what a stranger's requests for the sessions of each kind cause.
    func work() throws -> [String: Set<Work>] {
        try sessions.mapValues { paths in Set(try paths.map { try work(for: $0) }) }
    }

    private func work(for path: String) throws -> Work {
        calls.withLock { $0 = [] }
        let before = server.rounds
        try client.send(TimedHost.request("GET", path, bob))
        server.run()
        let tasks = executor.run()
        server.run()
        let rounds = server.rounds - before
        try client.receiveAvailable()
        let isAnswered = !client.pending.isEmpty
        TimedHost.runAll(server, executor)
        let response = TimedHost.text(of: try client.receiveResponse())
        return Work(
            calls: calls.withLock { $0 }, tasks: tasks, rounds: rounds, isAnswered: isAnswered, response: response)
    }

    /// Returns the kinds of sessions whose requests take more or less time than for sessions that do not exist.
    func suspects(rounds: Int) throws -> [String: Int] {
        var samples: [String: TimingSamples] = [:]
        var expected: String?
        for round in 0..<rounds {
            // In another order each time, so that no kind always follows the same one.
            for (kind, paths) in sessions.shuffled() {
                let path = paths[(round + kind.utf8.count) % paths.count]
                let (response, nanoseconds) = try exchange("GET", path, bob)
                samples[kind, default: TimingSamples()].add(nanoseconds)
                let shown = TimedHost.text(of: response)
                expected = expected ?? shown
                #expect(shown == expected && response.status == 404, "\(kind): \(shown)")
            }
        }
        let first = samples.removeValue(forKey: "none 1") ?? TimingSamples()
        let second = samples.removeValue(forKey: "none 2") ?? TimingSamples()
        return TimingComparison.suspects(samples, first: first, second: second)
    }

    /// Answers for the sessions in a state without asking the host.
    func leak(_ state: String) {
        leaking.withLock { $0 = Set(sessions[state] ?? []) }
    }

    /// Whether each session is in its state, as its owner sees it.
    func isPrepared() throws -> Bool {
        func status(_ state: String) throws -> Int {
            try exchange("GET", sessions[state]?[0] ?? "", ada).response.status
        }
        return try ["live", "named", "sleeping", "stored"].allSatisfy { try status($0) == 200 }
            && status("ended") == 410 && status("unreadable") == 503 && status("none 1") == 404
    }

    func end() {
        client.close()
        server.end()
    }
}

import Foundation
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

/// Stored sessions when SIGUSR2 replaces the server. Serialized, because each test runs several servers and clients.
@Suite(.serialized) struct SessionExchangeTests {
    private let program: ReplaceableProgram
    private let home = GranaryProcess.newStateHome()

    init() throws {
        program = try ReplaceableProgram()
    }

    /// Starts a server that gives its successors minutes, because a busy machine may need them.
    private func start(takeoverTimeout: String = "10m") async throws -> (granary: GranaryProcess, url: String) {
        let granary = try GranaryProcess(
            ["serve", "--http.port", "0", "--log.level", "info", "--http.takeoverTimeout", takeoverTimeout],
            at: program.path, environment: ["XDG_STATE_HOME": home])
        return (granary, try await url(of: granary))
    }

    private func url(of granary: GranaryProcess) async throws -> String {
        String(try #require(await granary.nextAnnounced(/serves on (http:\S+)\n/)).1)
    }

    private func create(_ url: String) throws -> String {
        try Curl.run([
            "-o", "/dev/null", "-w", "%header{location}", "\(url)/v1/sessions", "-H", "Content-Type: application/json",
            "-d", #"{"machine":"counter"}"#,
        ])
    }

    private func increment(_ url: String, _ session: String, key: String? = nil) throws -> String {
        let field = key.map { ["-H", "Idempotency-Key: \($0)"] } ?? []
        return try Curl.run(["-X", "POST", "\(url)\(session)/inputs/increment"] + field)
    }

    @Test func `a session, its stream and its keys pass to the new server`() async throws {
        let (granary, url) = try await start()
        let session = try create(url)
        let first = try increment(url, session, key: "k1")
        let stream = try Curl.start(["-N", "\(url)\(session)/outputs", "-H", "Accept: text/event-stream"])
        let snapshot = String(decoding: stream.output.someData(), as: UTF8.self)
        kill(granary.process.processIdentifier, SIGUSR2)
        let successor = try await granary.successor()
        let ended = String(decoding: stream.output.readDataToEndOfFile(), as: UTF8.self)
        #expect(ended.contains("event: end\ndata: {\"reason\":\"draining\"}\n\n"))
        #expect(try increment(url, session, key: "k1") == first)
        #expect(try increment(url, session) == #"{"version":2,"changes":{"count":2}}"#)
        // The client of the stream reconnects with the position that it has reached.
        let position = try #require((snapshot + ended).matches(of: /id: (\S+)\n/).last.map { String($0.1) })
        let resumed = try Curl.start([
            "-N", "\(url)\(session)/outputs", "-H", "Accept: text/event-stream", "-H", "Last-Event-ID: \(position)",
        ])
        let beginning = String(decoding: resumed.output.someData(), as: UTF8.self)
        #expect(beginning.contains("event: resume\n"), "\(beginning)")
        resumed.process.terminate()
        kill(successor, SIGTERM)
        _ = granary.outcome()
        try program.remove()
    }

    @Test func `a kept connection stays that of its client, also without a cleartext listener`() async throws {
        let granary = try GranaryProcess(
            [
                "serve", "--http.listeners", "https://127.0.0.1:0", "--tls.self-signed", "--access.cookie",
                "--http.trustedProxies", "127.0.0.2", "--log.level", "info", "--http.takeoverTimeout", "10m",
                "--http.drainTimeout", "10m", "--http.idleTimeout", "10m", "--http.headTimeout", "10m",
                "--tls.handshakeTimeout", "10m",
            ], at: program.path, environment: ["XDG_STATE_HOME": home])
        let announced = try #require(await granary.nextAnnounced(/serves on (https:\S+)\n/))
        guard case .address(_, let port) = try HTTPListener(String(announced.1)).place else {
            Issue.record("expected a TCP listener")
            return
        }
        let clients = try (0..<2).map { _ in try HTTPTestClient(port: port) }
        func send(_ client: HTTPTestClient, _ line: String, _ fields: [String], body: String = "") throws
            -> HTTPTestResponse
        {
            let all = [
                "\(line) HTTP/1.1", "Host: localhost", "Sec-Fetch-Site: same-origin", "Content-Type: application/json",
                "Content-Length: \(body.utf8.count)",
            ]
            try client.send((all + fields).joined(separator: "\r\n") + "\r\n\r\n" + body)
            return try client.receiveResponse()
        }
        for client in clients { try client.beginTLS() }
        let machine = #"{"machine":"counter"}"#
        let created = try send(clients[0], "POST /v1/sessions", [], body: machine)
        let cookie = try #require(created.fields.value("set-cookie")).prefix { $0 != ";" }
        let session = try #require(created.fields.value(.location))
        #expect(try send(clients[1], "GET /v1/machines", []).status == 200)
        kill(granary.process.processIdentifier, SIGUSR2)
        let successor = try await granary.successor()
        let input = try send(clients[0], "POST \(session)/inputs/increment", ["Cookie: \(cookie)"])
        #expect(cookie.hasPrefix("__Host-granary=") && input.status == 200, "\(input.text)")
        let next = try send(clients[1], "POST /v1/sessions", ["X-Forwarded-Proto: http"], body: machine)
        let other = try #require(next.fields.value("set-cookie"), "\(next.status) \(next.text)")
        #expect(other.hasPrefix("__Host-granary=") && other.contains("; Secure"))
        for client in clients { client.close() }
        kill(successor, SIGTERM)
        _ = granary.outcome()
        try program.remove()
    }

    @Test(
        arguments: [
            ("printf R >&3; exit 1", "the new server exited before it"),
            ("printf R >&3; dd bs=1 count=1 <&3 >/dev/null 2>&1; exit 74", "before it had opened the sessions"),
        ])
    func `the old server continues the sessions if the new one does not confirm`(
        script: String, reason: String
    ) async throws {
        let (granary, url) = try await start()
        let session = try create(url)
        _ = try increment(url, session)
        try program.install(script: script)
        kill(granary.process.processIdentifier, SIGUSR2)
        #expect(await granary.logged(/new server started pid=\d+\n/) != nil)
        // Requests that arrive meanwhile wait.
        #expect(try increment(url, session) == #"{"version":2,"changes":{"count":2}}"#)
        let line = try #require(await granary.logged(/takeover failed, the old server continues (.*)\n/))
        #expect(line.1.contains(reason), "\(line.1)")
        #expect(try increment(url, session) == #"{"version":3,"changes":{"count":3}}"#)
        // The next new server can take over.
        try program.install()
        kill(granary.process.processIdentifier, SIGUSR2)
        let successor = try await granary.successor()
        #expect(try increment(url, session) == #"{"version":4,"changes":{"count":4}}"#)
        kill(successor, SIGTERM)
        _ = granary.outcome()
        try program.remove()
    }

    @Test func `while a new server opens the sessions, no other takeover begins`() async throws {
        let (granary, url) = try await start()
        let session = try create(url)
        try program.install(script: "printf R >&3; exec sleep 600")
        kill(granary.process.processIdentifier, SIGUSR2)
        let released = try #require(await granary.logged(/sessions released pid=(\d+)\n/))
        kill(granary.process.processIdentifier, SIGUSR2)
        #expect(await granary.logged(/takeover refused reason="another takeover is in progress"\n/) != nil)
        kill(try #require(Int32(released.1)), SIGKILL)
        let line = try #require(await granary.logged(/takeover failed, the old server continues (.*)\n/))
        #expect(line.1.contains("before it had opened the sessions"), "\(line.1)")
        #expect(try increment(url, session) == #"{"version":1,"changes":{"count":1}}"#)
        #expect(granary.end(with: SIGTERM).status == 0)
        try program.remove()
    }

    @Test func `the old server continues the sessions if the new one takes too long to confirm`() async throws {
        // The time in which the script has to start, and after which it is ended.
        let (granary, url) = try await start(takeoverTimeout: "10s")
        let session = try create(url)
        try program.install(script: "printf R >&3; exec sleep 600")
        kill(granary.process.processIdentifier, SIGUSR2)
        let released = try #require(await granary.logged(/sessions released pid=(\d+)\n/))
        let successor = try #require(Int32(released.1))
        // A request that arrives meanwhile waits.
        #expect(try increment(url, session) == #"{"version":1,"changes":{"count":1}}"#)
        var line = try #require(await granary.logged(/takeover failed, the old server continues (.*)\n/))
        #expect(line.1.contains("had not opened the sessions within http.takeoverTimeout"), "\(line.1)")
        #expect(kill(successor, 0) != 0)
        // The next attempt is independent of this one. It fails immediately, because a working server may need more time.
        try program.install(Data("no program".utf8))
        kill(granary.process.processIdentifier, SIGUSR2)
        line = try #require(await granary.logged(/takeover failed, the old server continues (.*)\n/))
        #expect(line.1.contains("could not be started: Exec format error"), "\(line.1)")
        #expect(try increment(url, session) == #"{"version":2,"changes":{"count":2}}"#)
        #expect(granary.end(with: SIGTERM).status == 0)
        try program.remove()
    }

    @Test func `the new server continues if the old one is killed during the exchange`() async throws {
        for point in [/new server started pid=(\d+)\n/, /sessions released pid=(\d+)\n/] {
            let (granary, url) = try await start()
            let session = try create(url)
            _ = try increment(url, session)
            kill(granary.process.processIdentifier, SIGUSR2)
            let line = try #require(await granary.logged(point))
            let successor = try #require(Int32(line.1))
            kill(granary.process.processIdentifier, SIGKILL)
            #expect(try await self.url(of: granary) == url)
            #expect(try increment(url, session) == #"{"version":2,"changes":{"count":2}}"#)
            kill(successor, SIGTERM)
            _ = granary.outcome()
        }
        try program.remove()
    }

    @Test func `a new server that is killed after it has taken over leaves the sessions to the next one`() async throws
    {
        let (granary, url) = try await start()
        let session = try create(url)
        _ = try increment(url, session)
        kill(granary.process.processIdentifier, SIGUSR2)
        kill(try await granary.successor(), SIGKILL)
        _ = granary.outcome()
        let (next, nextURL) = try await start()
        #expect(try increment(nextURL, session) == #"{"version":2,"changes":{"count":2}}"#)
        #expect(next.end(with: SIGTERM).status == 0)
        try program.remove()
    }

    @Test func `a server that is stopped while it offers its sessions ends in order`() async throws {
        let (granary, url) = try await start()
        let session = try create(url)
        try program.install(script: "printf R >&3; exec sleep 600")
        kill(granary.process.processIdentifier, SIGUSR2)
        let line = try #require(await granary.logged(/sessions released pid=(\d+)\n/))
        let successor = try #require(Int32(line.1))
        #expect(granary.end(with: SIGTERM).status == 0)
        #expect(kill(successor, 0) != 0)
        try program.install()
        let (next, nextURL) = try await start()
        #expect(try increment(nextURL, session) == #"{"version":1,"changes":{"count":1}}"#)
        #expect(next.end(with: SIGTERM).status == 0)
        try program.remove()
    }

    @Test func `the holder of the directory is the server that has it`() async throws {
        let (granary, _) = try await start()
        kill(granary.process.processIdentifier, SIGUSR2)
        let successor = try await granary.successor()
        let outcome = try GranaryProcess(
            ["serve", "--http.port", "0"], at: program.path, environment: ["XDG_STATE_HOME": home]
        ).outcome()
        #expect(outcome.status == 1)
        #expect(outcome.standardError.contains("but it is held by process \(successor) on "))
        kill(successor, SIGTERM)
        _ = granary.outcome()
        try program.remove()
    }
}

import Foundation
import Testing

/// A stream of several sessions when its server is killed or replaced. Serialized, because each test runs several servers
/// and clients.
@Suite(.serialized) struct CombinedStreamTests {
    private let home = GranaryProcess.newStateHome()

    private func serve(at path: String? = nil) async throws -> (granary: GranaryProcess, url: String) {
        let granary = try GranaryProcess(
            ["serve", "--http.port", "0", "--log.level", "info"], at: path, environment: ["XDG_STATE_HOME": home])
        return (granary, String(try #require(await granary.nextAnnounced(/serves on (http:\S+)\n/)).1))
    }

    private func create(_ url: String) throws -> String {
        String(
            try Curl.run([
                "-o", "/dev/null", "-w", "%header{location}", "\(url)/v1/sessions", "-H",
                "Content-Type: application/json", "-d", #"{"machine":"counter"}"#,
            ]).suffix(22))
    }

    private func increment(_ url: String, _ sessions: [String]) throws {
        for session in sessions {
            let answer = try Curl.run(["-X", "POST", "\(url)/v1/sessions/\(session)/inputs/increment"])
            try #require(answer.hasPrefix("{\"version\":"), "\(answer)")
        }
    }

    /// Expects that a stream continues after the events that the client has received, with one event that it has missed.
    private func expectContinuation(_ stream: StreamClient, _ sessions: [String], count: Int) throws {
        let events = try stream.events(2 * sessions.count)
        for session in sessions {
            let own = events.filter { $0.session == session }
            #expect(own.map(\.name) == ["resume", "change"])
            #expect(own.last?.data.hasSuffix(",\"data\":{\"count\":\(count)}}") == true, "\(own)")
        }
    }

    @Test func `a stream continues with each of its sessions after kill -9`() async throws {
        let first = try await serve()
        let sessions = try (0..<4).map { _ in try create(first.url) }
        let stream = try StreamClient(first.url, sessions)
        #expect(try stream.events(4).allSatisfy { $0.name == "snapshot" })
        try increment(first.url, sessions)
        #expect(try stream.events(4).allSatisfy { $0.name == "change" })
        _ = first.granary.end(with: SIGKILL)
        #expect(stream.rest() == [])
        let second = try await serve()
        try increment(second.url, sessions)
        let next = try StreamClient(second.url, sessions, after: stream.position)
        try expectContinuation(next, sessions, count: 2)
        next.stop()
        #expect(second.granary.end(with: SIGTERM).status == 0)
    }

    @Test func `a stream ends when its server is replaced, and continues on the next one`() async throws {
        let program = try ReplaceableProgram()
        let (granary, url) = try await serve(at: program.path)
        let sessions = try (0..<4).map { _ in try create(url) }
        let stream = try StreamClient(url, sessions)
        #expect(try stream.events(4).allSatisfy { $0.name == "snapshot" })
        kill(granary.process.processIdentifier, SIGUSR2)
        let successor = try await granary.successor()
        // One end of the stream, and none of a session.
        let rest = stream.rest()
        #expect(rest.map(\.name) == ["end"])
        #expect(rest.last?.data == #"{"reason":"draining"}"#)
        try increment(url, sessions)
        let next = try StreamClient(url, sessions, after: stream.position)
        try expectContinuation(next, sessions, count: 1)
        next.stop()
        kill(successor, SIGTERM)
        _ = granary.outcome()
        try program.remove()
    }
}

/// A client that reads a stream of several sessions.
private final class StreamClient {
    struct Event: Equatable {
        let name: String
        let data: String

        /// The session, which is always at the same place.
        var session: String { String(data.dropFirst(12).prefix(22)) }
    }

    private let process: Process
    private let output: FileHandle
    private var text = ""
    private var received = 0

    init(_ url: String, _ sessions: [String], after position: String? = nil) throws {
        let path = "/v1/outputs?" + sessions.map { "session=\($0)" }.joined(separator: "&")
        let field = position.map { ["-H", "Last-Event-ID: \($0)"] } ?? []
        let started = try Curl.start(["-N", url + path, "-H", "Accept: text/event-stream"] + field)
        (process, output) = (started.process, started.output)
    }

    /// The position after all events that were received.
    var position: String? { text.matches(of: /\nid: (\S+)\n/).last.map { String($0.1) } }

    /// Waits for a number of events.
    func events(_ count: Int) throws -> [Event] {
        while all.count < received + count {
            let data = output.someData()
            try #require(!data.isEmpty, "the stream has ended: \(text)")
            text += String(decoding: data, as: UTF8.self)
        }
        defer { received += count }
        return Array(all[received..<(received + count)])
    }

    /// Returns the events up to the end of the stream.
    func rest() -> [Event] {
        text += String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        return Array(all[received...])
    }

    func stop() { process.terminate() }

    private var all: [Event] {
        text.matches(of: /event: (\w+)\n(?:id: \S+\n)?data: (.*)\n\n/).map {
            Event(name: String($0.1), data: String($0.2))
        }
    }
}

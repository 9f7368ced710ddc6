import HTTPModel
import Testing

@testable import Granary

/// Combined streams over sockets, with sessions on two loops.
@Suite(.serialized) struct CombinedStreamServingTests {
    @Test(arguments: ServedRoutes.Version.allCases)
    func `sessions of two loops share a stream, which continues on another connection`(
        _ version: ServedRoutes.Version
    ) async throws {
        let routes = try ServedRoutes(version)
        let sessions = try (0..<4).map { _ in String(try routes.makeSession().suffix(22)) }
        let path = "/v1/outputs?" + sessions.map { "session=\($0)" }.joined(separator: "&")
        let stream = try routes.openStream(path)
        let snapshots = try stream.next(4)
        #expect(snapshots.allSatisfy { $0.event == "snapshot" })
        #expect(Set(snapshots.map(session)) == Set(sessions))
        for session in sessions { try say("hello", to: session, of: routes) }
        let changes = try stream.next(4)
        #expect(changes.allSatisfy { $0.event == "change" && $0.data.hasSuffix(",\"data\":{\"text\":\"hello\"}}") })
        #expect(Set(changes.map(session)) == Set(sessions))
        stream.close()
        for session in sessions { try say("again", to: session, of: routes) }
        let next = try routes.openStream(path, after: stream.lastEventID)
        let missed = try next.next(8)
        for session in sessions {
            #expect(missed.filter { self.session($0) == session }.map(\.event) == ["resume", "change"])
        }
        for session in sessions { _ = try routes.request("DELETE", "/v1/sessions/\(session)") }
        #expect(try next.next(4).allSatisfy { $0.event == "end" && $0.data.hasSuffix("{\"reason\":\"deleted\"}}") })
        let stopped = try routes.request(
            "GET", path, [("accept", "text/event-stream"), ("last-event-id", next.lastEventID)])
        #expect(stopped.status == 204)
        next.close()
        await routes.shutdown()
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `the longest position fits into the limits of a request`(_ version: ServedRoutes.Version) async throws {
        let routes = try ServedRoutes(version)
        let sessions = try (0..<64).map { _ in String(try routes.makeSession().suffix(22)) }
        let position = (0..<64).map { _ in "AAAAAA.18446744073709551615" }.joined(separator: "~")
        let path = "/v1/outputs?" + sessions.map { "session=\($0)" }.joined(separator: "&")
        for stream in [
            try routes.openStream(path, after: position), try routes.openStream(path + "&lastEventID=" + position),
        ] {
            let events = try stream.next(64)
            #expect(events.allSatisfy { $0.event == "snapshot" })
            #expect(stream.lastEventID.split(separator: "~").count == 64)
            stream.close()
        }
        await routes.shutdown()
    }

    private func say(_ text: String, to session: String, of routes: ServedRoutes) throws {
        let answer = try routes.request("POST", "/v1/sessions/\(session)/inputs/say", body: "\"\(text)\"")
        #expect(answer.status == 200)
    }

    private func session(_ event: ServerSentEvent) -> String { String(event.data.dropFirst(12).prefix(22)) }
}

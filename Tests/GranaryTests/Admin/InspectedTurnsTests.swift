import HTTPServerTesting
import MachineHost
import StateCapture
import Testing

@testable import Granary

/// What operators learn of turns beyond what the journal has, and of those that it no longer has.
@Suite struct InspectedTurnsTests {
    private static let machine: MachineDefinition = {
        var machine = OperatedServer.machine()
        machine.hibernates = true
        return machine
    }()

    /// Runs a test with a server, which is stopped in any case.
    private func withServer(
        after former: OperatedServer? = nil, keepsSessions: Bool = false,
        configure: (inout Configuration) -> Void = { _ in }, _ body: (OperatedServer) throws -> Void
    ) async throws {
        let server = try await OperatedServer([InspectedTurnsTests.machine], after: former, configure: configure)
        do { try body(server) } catch {
            await server.stop()
            throw error
        }
        await server.stop(keepsSessions: keepsSessions)
    }

    private func turns(_ server: OperatedServer, _ stored: String, _ query: String = "") throws -> StateValue {
        let answer = try server.admin("GET", "/admin/v1/sessions/\(stored)/turns\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        return answer.json
    }

    @Test func `a turn has its duration and the number of streams that got its change`() async throws {
        try await withServer { server in
            let id = try server.makeSession()
            let stored = try server.stored(id)
            try server.say("alone", in: id)
            let streams = [try server.follow(id), try server.follow(id)]
            try server.say("heard", in: id)
            for stream in streams { #expect(try stream.receiveEvents(1).count == 1) }
            let found = try turns(server, stored)["turns"]?.elements ?? []
            #expect(found.map { $0["streams"] } == [0, 2])
            #expect(found.allSatisfy { ($0["nanoseconds"]?.integer ?? 0) > 0 })
            let session = try server.admin("GET", "/admin/v1/sessions/\(stored)").json
            let receiver: StateValue = ["principal": .null, "isOfTicket": false, "version": 2]
            #expect(session["streams"] == 2 && session["receivers"] == [receiver, receiver])
            for stream in streams { stream.close() }
        }
    }

    @Test func `a session that sleeps has its turns and streams, and sleeps on`() async throws {
        try await withServer { server in
            let id = try server.makeSession()
            let stored = try server.stored(id)
            for text in ["first", "second"] { try server.say(text, in: id) }
            let stream = try server.follow(id)
            try server.say("third", in: id)
            #expect(try stream.receiveEvents(1).count == 1)
            #expect(try server.admin("POST", "/admin/v1/sessions/\(stored)/hibernate").status == 204)
            let hidden = try turns(server, stored)
            #expect(hidden["total"] == 0 && hidden["turns"] == [] && hidden["beginsAt"] == 3)
            let earlier = hidden["earlier"]?.elements ?? []
            #expect(earlier.map { $0["version"] } == [1, 2, 3])
            #expect(earlier.map { $0["streams"] } == [0, 0, 1])
            #expect(earlier.allSatisfy { $0["number"] == .null && ($0["nanoseconds"]?.integer ?? 0) > 0 })
            #expect(earlier.allSatisfy { $0["trigger"] == ["kind": "input", "name": "say"] })
            #expect(earlier.allSatisfy { $0["time"]?.text != nil })
            #expect(!String(decoding: hidden.json, as: UTF8.self).contains("first"))
            let shown = try turns(server, stored, "?values=shown")["earlier"]?.elements ?? []
            #expect(shown.map { $0["changes"]?.elements.first?["value"] } == ["first", "second", "third"])
            #expect(shown.last?["changes"]?.elements.first?["former"] == "second")
            let session = try server.admin("GET", "/admin/v1/sessions/\(stored)").json
            #expect(session["state"] == "dormant" && session["streams"] == 1)
            #expect(session["receivers"]?.elements.map { $0["version"] } == [3])
            let list = try server.admin("GET", "/admin/v1/sessions").json["sessions"]?.elements ?? []
            #expect(list.map { $0["streams"] } == [1])
            try server.say("fourth", in: id)
            let awake = try turns(server, stored)
            #expect(awake["earlier"]?.elements.map { $0["version"] } == [1, 2, 3])
            #expect(awake["turns"]?.elements.last?["version"] == 4)
            // A part of the list has only the turns after those before.
            #expect(try turns(server, stored, "?after=0")["earlier"] == nil)
            #expect(try turns(server, stored, "?latest=true")["earlier"] == nil)
            stream.close()
        }
    }

    @Test func `after a restart, the changes are left of a session that sleeps`() async throws {
        var (stored, former): (String, OperatedServer?) = ("", nil)
        try await withServer(keepsSessions: true) { server in
            let id = try server.makeSession()
            stored = try server.stored(id)
            for text in ["a", "b"] { try server.say(text, in: id) }
            #expect(try server.admin("POST", "/admin/v1/sessions/\(stored)/hibernate").status == 204)
            former = server
        }
        try await withServer(after: former) { server in
            let earlier = try turns(server, stored, "?values=shown")["earlier"]?.elements ?? []
            #expect(earlier.map { $0["changes"]?.elements.first?["value"] } == ["a", "b"])
            #expect(earlier.allSatisfy { $0["trigger"] == .null && $0["time"] == .null })
            #expect(earlier.allSatisfy { $0["nanoseconds"] == nil && $0["streams"] == nil })
            #expect(try server.admin("GET", "/admin/v1/sessions/\(stored)").json["state"] == "dormant")
        }
    }

    @Test func `a session that was stored as a whole has the changes before, as many as it keeps`() async throws {
        try await withServer(configure: {
            $0.sessions.turnsPerSnapshot = 4
            $0.sessions.historyChanges = 3
        }) { server in
            let id = try server.makeSession()
            let stored = try server.stored(id)
            for number in 1...9 { try server.say("\(number)", in: id) }
            let found = try turns(server, stored)
            #expect(found["beginsAt"] == 8 && found["total"] == 1)
            #expect(found["earlier"]?.elements.map { $0["version"] } == [6, 7, 8])
            #expect(found["earlier"]?.elements.first?["trigger"]?["name"] == "say")
        }
    }

    @Test func `without metrics, turns are not measured`() async throws {
        try await withServer(configure: { $0.servesMetrics = false }) { server in
            let id = try server.makeSession()
            try server.say("a", in: id)
            let found = try turns(server, try server.stored(id))["turns"]?.elements ?? []
            #expect(found.map { $0["trigger"]?["name"] } == ["say"])
            #expect(found.first?["nanoseconds"] == nil && found.first?["streams"] == nil)
        }
    }
}

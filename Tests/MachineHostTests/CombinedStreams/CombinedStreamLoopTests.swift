import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// Combined streams of sessions on several loops.
struct CombinedStreamLoopTests {
    @Test func `sessions of other loops send their changes to the loop of the connection`() throws {
        let harness = try LoopHarness(3)
        let sessions = (0..<3).map { harness.makeSession(on: $0) }
        let client = CombinedClient()
        harness.connect(client, to: sessions)
        harness.settle(client)
        for session in sessions { #expect(client.names(of: session) == ["snapshot"]) }
        for session in sessions { harness.input(session, "increment") }
        harness.settle(client)
        for session in sessions {
            #expect(client.names(of: session) == ["snapshot", "change"])
            #expect(client.outputs(of: session) == ["count": "1", "isEven": "false"])
        }
    }

    @Test func `all changes of a round are sent together, in one task`() throws {
        let harness = try LoopHarness(2)
        let sessions = (0..<8).map { _ in harness.makeSession(on: 1) }
        let client = CombinedClient()
        harness.connect(client, to: sessions)
        harness.settle(client)
        let before = client.follower?.readyCount ?? 0
        for _ in 0..<10 { for session in sessions { harness.input(session, "increment") } }
        harness.run()
        #expect(client.follower?.readyCount == before + 1)
        client.read()
        #expect(sessions.allSatisfy { client.outputs(of: $0)?["count"] == "10" })
    }

    @Test func `a loop that stalls delays only its own sessions`() throws {
        let harness = try LoopHarness(3)
        let sessions = (0..<3).map { harness.makeSession(on: $0) }
        let client = CombinedClient()
        harness.stalled = [2]
        harness.connect(client, to: sessions)
        harness.settle(client)
        #expect(client.names(of: sessions[0]) == ["snapshot"])
        #expect(client.names(of: sessions[1]) == ["snapshot"])
        #expect(client.names(of: sessions[2]).isEmpty)
        for session in sessions { harness.input(session, "increment") }
        harness.settle(client)
        #expect(client.outputs(of: sessions[1])?["count"] == "1")
        harness.stalled = []
        harness.settle(client)
        #expect(client.outputs(of: sessions[2])?["count"] == "1")
        #expect(client.views.values.allSatisfy { $0.violations.isEmpty })
    }

    @Test func `the end of a stream waits for a loop that stalls for two seconds only`() throws {
        let harness = try LoopHarness(2)
        let sessions = (0..<2).map { harness.makeSession(on: $0) }
        let client = CombinedClient()
        harness.connect(client, to: sessions)
        harness.settle(client)
        harness.stalled = [1]
        harness.input(sessions[0], "increment")
        for shard in harness.shards { shard.drain() }
        harness.settle(client)
        #expect(client.outputs(of: sessions[0])?["count"] == "1")
        #expect(client.follower?.hasFinished == false)
        for _ in 0..<4 {
            harness.advance(by: 1)
            client.read()
        }
        #expect(client.follower?.hasFinished == true)
        #expect(client.events.last?.event.data == "{\"reason\":\"draining\"}")
        harness.stalled = []
        harness.settle(client)
        #expect(harness.host.streamCount == 0)
    }

    @Test func `a client that reads nothing costs a batch, and then gets the newest state`() throws {
        let harness = try LoopHarness(2)
        let sessions = (0..<2).map { harness.makeSession(on: $0) }
        let client = CombinedClient()
        harness.connect(client, to: sessions)
        harness.settle(client)
        for _ in 0..<5000 {
            for session in sessions { harness.input(session, "increment") }
            harness.run()
        }
        let before = client.follower?.bytes.count ?? 0
        harness.settle(client)
        // One batch of the other loop, and a history each.
        #expect((client.follower?.bytes.count ?? 0) - before < 4 * StreamFeed.batchSize)
        #expect(sessions.allSatisfy { client.outputs(of: $0)?["count"] == "5000" })
        #expect(client.views.values.allSatisfy { $0.violations.isEmpty })
    }

    @Test func `a large value of another loop arrives whole, between the events of the others`() throws {
        let harness = try LoopHarness(2)
        let sessions = (0..<2).map { harness.makeSession(on: $0) }
        let client = CombinedClient()
        harness.connect(client, to: sessions)
        harness.settle(client)
        let large = "\"\(String(repeating: "x", count: 300_000))\""
        harness.input(sessions[1], "late", large)
        harness.run()
        for step in 0..<200 {
            if step.isMultiple(of: 20) { harness.input(sessions[0], "increment") }
            client.readOnce(limit: 5000)
            harness.run()
        }
        harness.settle(client)
        #expect(client.outputs(of: sessions[1])?["late"] == large)
        #expect(client.outputs(of: sessions[0])?["count"] == "10")
        #expect(client.views.values.allSatisfy { $0.violations.isEmpty })
    }

    @Test func `a large value that its session releases cuts the stream off, and the client continues`() throws {
        let harness = try LoopHarness(2) { $0.maxSessionBytes = 500_000 }
        let sessions = (0..<2).map { harness.makeSession(on: $0) }
        let client = CombinedClient()
        harness.connect(client, to: sessions)
        harness.settle(client)
        for number in 0..<4 {
            harness.input(sessions[1], "late", "\"\(String(repeating: "\(number)", count: 300_000))\"")
            harness.run()
            client.readOnce(limit: 1000)
            harness.run()
        }
        harness.settle(client)
        #expect(client.follower?.hasFinished == true)
        harness.connect(client, to: sessions)
        harness.settle(client)
        #expect(client.outputs(of: sessions[1])?["late"]?.hasPrefix("\"3333") == true)
        #expect(harness.host.streamCount == 1)
    }

    @Test func `a client may leave at any moment`() throws {
        for moment in 0..<12 {
            let harness = try LoopHarness(2)
            let sessions = (0..<2).map { harness.makeSession(on: $0) }
            let client = CombinedClient()
            harness.connect(client, to: sessions)
            for step in 0..<moment {
                harness.loops[(step + moment / 6) % 2].runRound()
                client.readOnce(limit: 1)
                harness.input(sessions[1], "increment")
            }
            client.cut()
            harness.run()
            #expect(harness.host.streamCount == 0, "moment \(moment)")
            for session in sessions {
                let id = Array(session.utf8).withUnsafeBufferPointer { SessionID($0) }
                let left = id.flatMap { harness.shards[harness.loop(of: session)].sessions[$0] }
                #expect(left?.streamCount == 0 && left?.streams.isEmpty == true, "moment \(moment)")
            }
            #expect(harness.shards.allSatisfy { $0.pending.isEmpty && $0.combined.streams.isEmpty })
        }
    }

    @Test func `a session's loop may be gone`() throws {
        let harness = try LoopHarness(2)
        let sessions = (0..<2).map { harness.makeSession(on: $0) }
        let client = CombinedClient()
        harness.connect(client, to: sessions)
        harness.settle(client)
        harness.shards.removeLast()
        harness.settle(client)
        #expect(client.follower?.hasFinished == true)
        #expect(client.events.last?.event.data == "{\"reason\":\"draining\"}")
        harness.connect(client, to: sessions)
        harness.settle(client)
        #expect(client.names(of: sessions[0]) == ["resume"])
        #expect(client.events.last?.event.data == "{\"reason\":\"draining\"}")
    }

    @Test(arguments: 0..<80)
    func `clients that read, leave and choose other sessions at random know each session's state`(seed: Int) throws {
        var random = Random(seed: UInt64(seed))
        let count = Int(random.next() % 3) + 1
        let harness = try LoopHarness(count) {
            $0.historyChanges = Int(random.next() % 12) + 1
            $0.historyBytes = 64 << Int(random.next() % 6)
        }
        let sessions = (0..<6).map { harness.makeSession(on: $0 % count) }
        let clients = (0..<2).map { _ in CombinedClient() }
        var chosen = clients.map { _ in sessions }
        for _ in 0..<400 {
            let session = sessions[Int(random.next() % 6)]
            let (one, loop) = (Int(random.next() % 2), Int(random.next() & 3))
            switch random.next() % 8 {
            case 0: harness.input(session, "add", "\(random.next() % 4)")
            case 1: harness.input(session, "late", "\"\(String(repeating: "y", count: Int(random.next() % 90)))\"")
            case 2 where random.next() % 8 == 0:
                chosen[one] = Array(sessions.shuffled(using: &random).prefix(Int(random.next() % 6) + 1))
                harness.connect(clients[one], to: chosen[one], on: loop % count)
            case 3, 4: harness.loops[loop % count].runRound()
            default: clients[one].readOnce(limit: Int(random.next() % 400) + 1)
            }
        }
        harness.settle(clients[0], clients[1])
        for (client, chosen) in zip(clients, chosen) {
            harness.connect(client, to: chosen)
            harness.settle(client)
            for session in chosen {
                var view = StreamView()
                view.take(ServerSentEvent(event: "snapshot", id: "AAAAAA.0", data: harness.outputs(of: session)))
                #expect(client.outputs(of: session) == view.outputs)
                #expect(client.views[session]?.violations == [])
            }
        }
    }
}

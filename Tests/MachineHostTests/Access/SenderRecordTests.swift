import Access
import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// The senders of recorded turns.
struct SenderRecordTests {
    private let access: TestAccess

    init() throws { access = try TestAccess() }

    @Test func `turns are recorded with their senders, and equal ones once`() throws {
        let host = try StoredHost(of: .witness, access: access.access)
        let session = host.makeSession()
        for fields in [[:], access.ada, access.ada, access.bob, access.ada] {
            #expect(host.send(.post, session + "/inputs/speak", fields: fields).status == 200)
        }
        let rows = try #require(host.disk.entries.first?.rows)
        let senders = try rows.map { try TurnRecord($0.content[...]).sender }
        func new(_ name: String) -> RecordedSender { .new(.principal(Principal(method: .apiKey, id: name))) }
        #expect(senders == [nil, new("ada"), .same, new("bob"), new("ada")])
        // In the next process, the last one is known.
        let next = try StoredHost(on: host.disk, of: .witness, access: access.access)
        #expect(next.send(.post, session + "/inputs/speak", fields: access.ada).status == 200)
        let last = try #require(host.disk.entries.first?.rows.last)
        #expect(try TurnRecord(last.content[...]).sender == .same)
    }

    @Test(arguments: [Int.max, 2])
    func `a replay has the creator and the senders`(turnsPerSnapshot: Int) throws {
        var machine = MachineDefinition.witness
        machine.captureObstacles = []
        var configuration = HostConfiguration()
        configuration.turnsPerSnapshot = turnsPerSnapshot
        let host = try RestartableHost([machine], configuration: configuration, access: access.access)
        let answer = host.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: access.ada)
        let session = answer.fields.value(.location) ?? ""
        for _ in 0..<3 {
            #expect(host.send(.post, session + "/inputs/speak", fields: access.ada).status == .ok)
        }
        let terms = #"{"allows":["write"],"label":"Bob"}"#
        let text = host.send(.post, session + "/tickets", body: terms, fields: access.ada).text
        let ticket = text.split(separator: "\"").dropFirst(3).first.map(String.init) ?? ""
        #expect(host.send(.delete, session + "/tickets", fields: access.bob).status == .notFound)
        let holder = TestAccess.fields("Ticket \(ticket)")
        #expect(host.send(.post, session + "/inputs/speak", fields: holder).status == .ok)
        var replay = try Replay(SessionRecording(host.recording(of: session)), machine)
        var count = 0
        let divergence = try replay.run { _ in count += 1 }
        #expect(divergence?.description == nil)
        #expect(count == (turnsPerSnapshot == 2 ? 0 : 4))
    }

    @Test func `records of turns without senders are unchanged, and damaged ones are found`() throws {
        var record = TurnRecord(time: 1, version: 2)
        record.trigger = .input(name: "a", value: Array("1".utf8)[...])
        var plain: [UInt8] = []
        record.append(to: &plain)
        record.sender = .new(.ticket(label: "Bob"))
        record.tickets = TicketLedger(generation: 3)
        var bytes: [UInt8] = []
        record.append(to: &bytes)
        #expect(bytes.count > plain.count)
        #expect(try TurnRecord(bytes[...]) == record)
        for count in bytes.indices { #expect(throws: RecordReader.Damaged.self) { try TurnRecord(bytes[..<count]) } }
    }
}

import HTTPModel
import MachineTesting
import StateCapture
import Telemetry
import Testing

@testable import MachineHost

struct RecentTurnsTests {
    private func turn(_ number: UInt64, of session: UInt64 = 1) -> RecentTurns.Turn {
        RecentTurns.Turn(
            session: session, number: number, version: number, nanoseconds: 10, time: 0, cause: .scheduled, streams: nil
        )
    }

    @Test func `the last turns of a session are remembered, oldest first`() {
        let recent = RecentTurns(capacity: 4)
        for number in 1...3 { _ = recent.append(turn(UInt64(number))) }
        #expect(recent.turns(of: 1).map(\.number) == [1, 2, 3])
        for number in 4...7 { _ = recent.append(turn(UInt64(number), of: UInt64(number) % 2)) }
        #expect(recent.turns(of: 1).map(\.number) == [5, 7])
        #expect(recent.turns(of: 0).map(\.number) == [4, 6])
    }

    @Test func `the streams of a change are known from its release on, unless too many turns have followed`() {
        let recent = RecentTurns(capacity: 2)
        let places = (1...3).map { recent.append(turn($0)) }
        #expect(recent.turns(of: 1).map(\.streams) == [nil, nil])
        for place in places { recent.release(place, to: 5 + place) }
        #expect(recent.turns(of: 1).map(\.streams) == [6, 7])
    }

    @Test func `a stored turn has its duration, and the streams that got its change when it was stored`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let stream = try #require(host.stream(session))
        stream.read()
        let recent = try #require(host.harness.shard.recentTurns)
        let stored = try #require(host.disk.entries.first?.snapshot?.summary.id)
        _ = host.start(.post, session + "/inputs/increment")
        #expect(recent.turns(of: stored.low).map(\.streams) == [nil])
        host.store()
        let turn = try #require(recent.turns(of: stored.low).first)
        #expect(turn.streams == 1 && turn.version == 1 && turn.nanoseconds > 0)
        #expect(turn.number == host.disk.entries.first?.rows.last?.number)
        let inputs = host.harness.host.catalogue["scripted"]?.definition.inputs
        #expect(turn.cause == .input((inputs?.firstIndex { $0.name == "increment" }).map { UInt16($0) }))
        stream.cut()
        _ = host.send(.post, session + "/inputs/increment")
        #expect(recent.turns(of: stored.low).map(\.streams) == [1, 0])
    }

    @Test func `turns are remembered of a session that sleeps, and not in the next process`() throws {
        let host = try StoredHost.hibernating()
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/increment")
        let stored = try #require(host.disk.entries.first?.snapshot?.summary.id)
        host.advance(by: 63)
        #expect(host.awakeCount == 0)
        #expect(host.harness.shard.recentTurns?.turns(of: stored.low).map(\.version) == [1])
        let next = try StoredHost.hibernating(on: host.disk, after: 100)
        #expect(next.harness.shard.recentTurns?.turns(of: stored.low).isEmpty == true)
    }

    @Test func `a turn of a session that is not stored has both at its end`() throws {
        let harness = try HostHarness.counting()
        let path = harness.makeSession()
        let streams = [harness.follow(path), harness.follow(path)]
        harness.input(path, "increment")
        let session = try #require(harness.shard.sessions.values.first)
        let turns = harness.shard.recentTurns?.turns(of: session.recentKey) ?? []
        #expect(turns.map(\.version) == [1] && turns.map(\.streams) == [UInt32(streams.count)])
    }

    @Test func `nothing is remembered if nobody measures turns`() throws {
        let harness = try HostHarness.counting()
        let shard = harness.host.makeShard(on: VirtualEventLoop(), counting: MetricCells(areRead: false))
        #expect(shard.recentTurns == nil)
    }

    @Test func `a turn of which only the change is stored has what its loop remembers`() {
        let machine = ScriptedMachine.definition(
            outputs: ["text"], inputs: ["say": { machine, value in machine.set("text", to: value) }])
        var record = TurnRecord(time: 0, version: 3)
        record.change = Array(#"{"text":"b"}"#.utf8)[...]
        let turn = RecordedTurns.Turn(number: 3, record: record, byteCount: 12)
        let former = StoredSession(
            machine: machine.name, epoch: Epoch(bits: 0), created: 0, lastInput: 0, version: 2)
        func described(_ cause: RecentTurns.Cause?) -> StateValue {
            let recent = cause.map {
                RecentTurns.Turn(
                    session: 1, number: 9, version: 3, nanoseconds: 41_000, time: 1_767_225_600_000, cause: $0,
                    streams: 2)
            }
            let disclosure = ValueDisclosure(machine, isRevealed: true)
            return TurnDescription(turn, after: former, disclosure, recent: recent).json(ofInputs: machine.inputs)
        }
        let known = described(.input(0))
        #expect(known["trigger"] == ["kind": "input", "name": "say"])
        #expect(known["time"] == "2026-01-01T00:00:00.000Z")
        #expect(known["nanoseconds"] == 41_000 && known["streams"] == 2)
        #expect(known["changes"] == [["name": "text", "bytes": 3, "value": "b"]])
        #expect(described(.batch)["trigger"] == ["kind": "batch"])
        #expect(described(.input(nil))["trigger"] == ["kind": "input", "name": .null])
        let unknown = described(nil)
        #expect(unknown["trigger"] == .null && unknown["time"] == .null)
        #expect(unknown["nanoseconds"] == nil && unknown["streams"] == nil && unknown["bytes"] == nil)
    }
}

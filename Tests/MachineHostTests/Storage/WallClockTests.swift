import CombineCore
import HTTPModel
import Locking
import MachineTesting
import StateCapture
import Testing

@testable import MachineHost

/// Sessions on a system whose wall clock is set.
struct WallClockTests {
    private static let steps: [Duration] = [.seconds(7200), .seconds(-3600)]

    /// Returns a host with a session in which something was typed, which is shown after five seconds.
    private func typing() throws -> (host: StoredHost, session: String) {
        let host = try StoredHost()
        let session = host.makeSession(of: "typist")
        _ = host.send(.post, session + "/inputs/type", body: #""hello""#)
        return (host, session)
    }

    private func set(_ lead: Duration, _ host: StoredHost) { host.disk.wallLead.withLock { $0 = lead } }

    @Test(arguments: steps) func `a timer of the next process keeps its span`(step: Duration) throws {
        let (host, session) = try typing()
        set(step, host)
        let next = try StoredHost(on: host.disk, after: 1)
        next.advance(by: 3)
        #expect(next.send(.get, session + "/outputs").text == #"{"text":""}"#)
        next.advance(by: 2)
        #expect(next.send(.get, session + "/outputs").text == #"{"text":"hello"}"#)
    }

    @Test(arguments: steps) func `a timer wakes a session that no client asks for in time`(step: Duration) throws {
        let (host, session) = try typing()
        set(step, host)
        let next = try StoredHost(on: host.disk, after: 1)
        next.advance(by: 3)
        #expect(next.harness.host.sessionCount == 0)
        set(.zero, host)
        next.advance(by: 3)
        #expect(next.harness.host.sessionCount == 1)
        #expect(next.send(.get, session + "/outputs").text == #"{"text":"hello"}"#)
    }

    @Test(arguments: steps) func `a timer of a session that sleeps keeps its span without a restart`(
        step: Duration
    ) throws {
        let definition = MachineDefinition.timing { [$0.timer("slow", every: .seconds(600))] }
        let host = try StoredHost.hibernating(of: definition)
        let session = host.makeSession()
        let stream = try #require(host.stream(session))
        stream.read()
        host.advance(by: 300)
        #expect(host.awakeCount == 0)
        set(step, host)
        host.advance(by: 290)
        stream.read()
        #expect(stream.view.version == 0)
        host.advance(by: 10)
        stream.read()
        #expect(stream.view.version == 1)
    }

    @Test func `after a start of the system with a wrong clock, a timer waits for its span at most`() throws {
        let (host, session) = try typing()
        set(.seconds(-3600), host)
        let next = try StoredHost(on: host.disk, after: 1, boot: "second")
        next.advance(by: 3)
        #expect(next.send(.get, session + "/outputs").text == #"{"text":""}"#)
        next.advance(by: 2)
        #expect(next.send(.get, session + "/outputs").text == #"{"text":"hello"}"#)
    }

    @Test func `after a start of the system, the time counts for which it was off`() throws {
        let (host, session) = try typing()
        let next = try StoredHost(on: host.disk, after: 3600, boot: "second")
        next.advance(by: 2)
        #expect(next.send(.get, session + "/outputs").text == #"{"text":"hello"}"#)
    }

    @Test func `a clock that was set before the system was started again does not count as time that it was off`()
        throws
    {
        let host = try StoredHost()
        let session = host.makeSession(of: "typist")
        set(.seconds(7200), host)
        host.advance(by: 1)
        _ = host.send(.post, session + "/inputs/type", body: #""hello""#)
        let next = try StoredHost(on: host.disk, after: 3, boot: "second")
        next.advance(by: 2)
        #expect(next.send(.get, session + "/outputs").text == #"{"text":""}"#)
        next.advance(by: 2)
        #expect(next.send(.get, session + "/outputs").text == #"{"text":"hello"}"#)
    }

    @Test func `an idle server notes within ten seconds that the wall clock was set`() throws {
        let host = try StoredHost()
        _ = host.makeSession()
        set(.seconds(7200), host)
        host.advance(by: 11)
        let journal = TestJournal(host.disk)
        #expect(try ClockAnchor(storedIn: journal)?.wallLead == 7_200_000)
        #expect(host.disk.failures.withLock { $0 } == [])
    }

    @Test(arguments: steps) func `a key is remembered as long as without the step`(step: Duration) throws {
        let host = try StoredHost()
        let create = { (host: StoredHost) in
            host.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, key: "0b54b8a8-f3a1-4f2c-9f6e").text
        }
        let first = create(host)
        let session = host.makeSession()
        let increment = { (host: StoredHost) in
            host.send(.post, session + "/inputs/increment", key: "7c54b8a8-f3a1-4f2c-9f6e").text
        }
        let result = increment(host)
        set(step, host)
        let next = try StoredHost(on: host.disk, after: 590)
        #expect(create(next) == first)
        #expect(increment(next) == result)
        let last = try StoredHost(on: host.disk, after: 602)
        #expect(create(last) != first)
        #expect(increment(last) != result)
    }

    @Test(arguments: steps) func `an unused session lives as long as without the step`(step: Duration) throws {
        let configure = { (configuration: inout HostConfiguration) in configuration.idleExpiry = .seconds(60) }
        let host = try StoredHost(hibernates: true) { configuration in
            configure(&configuration)
            configuration.hibernateAfter = .seconds(10)
        }
        let session = host.makeSession()
        host.advance(by: 20)
        #expect(host.harness.host.sessionCount == 0)
        set(step, host)
        host.advance(by: 30)
        let entry = try #require(host.disk.entries.first)
        #expect(entry.snapshot?.summary.hasEnded == false)
        host.advance(by: 20)
        #expect(host.send(.get, session).status == 410)
    }

    @Test func `clients see times of the wall clock`() throws {
        let definition = MachineDefinition.timing { [$0.timer("slow", every: .seconds(600))] }
        let host = try StoredHost(of: definition)
        let session = host.makeSession()
        #expect(
            host.send(.get, session).text.contains(#""inProgress":[{"timer":"slow","due":"2026-01-01T00:10:00Z"}]"#))
        set(.seconds(7200), host)
        let text = host.send(.get, session).text
        #expect(text.contains(#""inProgress":[{"timer":"slow","due":"2026-01-01T02:10:00Z"}]"#))
        // The day of its creation was named before the step.
        #expect(text.contains(#""created":"2026-01-01T00:00:00Z""#))
    }

    @Test(arguments: [0, 7_200_000, -3_600_000] as [Int64])
    func `a turn records the wall time beside the stored one`(lead: Int64) throws {
        var record = TurnRecord(time: 1_767_225_600_000, version: 3)
        record.fraction = 123_456
        record.wallLead = lead
        var bytes: [UInt8] = []
        record.append(to: &bytes)
        let read = try TurnRecord(bytes[...])
        #expect(read == record)
        #expect(read.nanoseconds == 1_767_225_600_000_123_456)
        #expect(read.wallTime == 1_767_225_600_000 + lead)
        // Older builds read the number modulo the nanoseconds of a millisecond.
        var reader = RecordReader(bytes[...])
        _ = (try reader.number(), try reader.signedNumber())
        #expect(try reader.number() % 1_000_000 == 123_456)
    }
}

import HTTPModel
import Locking
import Log
import MachineTesting
import Testing

@testable import MachineHost

/// Slow turns are logged.
struct SlowTurnTests {
    private struct Fixture {
        let harness: HostHarness
        let session: String
        let events: Lock<[LogEvent]>

        var lines: [[String]] {
            events.withLock { $0 }.map { event in [event.message] + event.fields.map { "\($0.name)=\($0.value)" } }
        }
    }

    private func fixture() throws -> Fixture {
        let events = Lock<[LogEvent]>([])
        @Sendable func stall(_ machine: ScriptedMachine, _ milliseconds: String) {
            (machine.context.loop as? VirtualEventLoop)?.stall(for: .milliseconds(Int(milliseconds) ?? 0))
        }
        let definition = ScriptedMachine.definition(
            outputs: ["a"],
            inputs: [
                "take": stall,
                "later": { machine, value in
                    for _ in 0..<2 { machine.context.scheduler.schedule { stall(machine, value) } }
                },
            ])
        let log = Log(level: .warning) { event in events.withLock { $0.append(event) } }
        let harness = try HostHarness([definition], log: log)
        return Fixture(harness: harness, session: harness.makeSession(), events: events)
    }

    private func line(_ input: String, _ milliseconds: Int, unreported: Int = 0) -> [String] {
        [
            "slow turn", "machine=\(LogValue.text("scripted"))", "input=\(LogValue.text(input))",
            "milliseconds=\(LogValue.number(milliseconds))", "unreported=\(LogValue.number(unreported))",
        ]
    }

    @Test func `a slow turn is logged with its machine and input, but without the value`() throws {
        let fixture = try fixture()
        fixture.harness.input(fixture.session, "take", "99")
        #expect(fixture.lines.isEmpty)
        fixture.harness.input(fixture.session, "take", "123")
        #expect(fixture.lines == [line("take", 123)])
    }

    @Test func `batches and scheduled blocks are logged with their own causes`() throws {
        let fixture = try fixture()
        _ = fixture.harness.send(
            .post, fixture.session + "/inputs",
            body: "[{\"input\":\"take\",\"value\":60},{\"input\":\"take\",\"value\":60}]")
        #expect(fixture.lines == [line("batch", 120)])
        fixture.harness.loop.advance(by: .seconds(10))
        fixture.harness.input(fixture.session, "later", "110")
        #expect(fixture.lines.last == line("none (a timer or an effect)", 110))
    }

    @Test func `turns of the same round are timed individually`() throws {
        let fixture = try fixture()
        let session = fixture.session
        for _ in 0..<5 {
            var request = HTTPRequest(method: .post, target: session + "/inputs/take", body: Array("60".utf8))
            request.fields.append(.contentType, "application/json")
            _ = fixture.harness.shard.respond(to: request)
        }
        #expect(fixture.lines.isEmpty)
    }

    @Test func `a machine that is always slow is logged every ten seconds, with the number of unreported turns`() throws
    {
        let fixture = try fixture()
        for _ in 0..<5 { fixture.harness.input(fixture.session, "take", "100") }
        #expect(fixture.lines == [line("take", 100)])
        fixture.harness.loop.advance(by: .seconds(10))
        fixture.harness.input(fixture.session, "take", "200")
        fixture.harness.input(fixture.session, "take", "200")
        #expect(fixture.lines == [line("take", 100), line("take", 200, unreported: 4)])
    }

    @Test func `a clock that lags behind the round reports no slow turn`() {
        var watch = TurnWatch(warning: .milliseconds(100))
        let round = MonotonicTime(nanoseconds: 1_000_000_000)
        #expect(watch.turnEnded(at: MonotonicTime(nanoseconds: 996_000_000), round: round) == nil)
        #expect(watch.turnEnded(at: MonotonicTime(nanoseconds: 1_099_999_999), round: round) == nil)
        let later = MonotonicTime(nanoseconds: 2_000_000_000)
        #expect(watch.turnEnded(at: later + .milliseconds(100), round: later) == .milliseconds(100))
    }
}

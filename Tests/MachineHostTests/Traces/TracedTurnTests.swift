import Access
import CombineCore
import HTTPModel
import Locking
import Log
import MachineTesting
import StateCapture
import Telemetry
import Testing

@testable import MachineHost

/// The spans of turns and of what they cause.
struct TracedTurnTests {
    private let spans = CollectedSpans()
    private let service = FakeService()
    private let request = TraceContext(traceID: 0xABC, spanID: 0xD, state: "rojo=1")

    /// A machine with one output.
    private var echo: MachineDefinition {
        ScriptedMachine.definition(
            outputs: ["text"],
            inputs: [
                "say": { machine, value in machine.set("text", to: value) },
                "break": { machine, _ in machine.fail("text", with: .init("the text is no text")) },
                "soon": { machine, value in machine.context.scheduler.schedule { machine.set("text", to: value) } },
                "poll": { machine, _ in TracedTurnTests.poll(machine, 1) },
                "tick": { machine, _ in
                    _ = machine.context.scheduler.schedule(after: .seconds(1), repeating: .seconds(1)) {
                        machine.set("text", to: "1")
                    }
                },
            ], made: { ScriptedState.capture($0) })
    }

    /// A machine that asks when it gets an input, and again when it is restored.
    private var searching: MachineDefinition {
        ScriptedMachine.definition(
            outputs: ["asked", "answer", "failure"],
            inputs: [
                "ask": { machine, _ in
                    machine.set("asked", to: "true")
                    (machine.attachment as? Search)?.questions.send("swift")
                }
            ],
            made: { [service] machine in
                ScriptedState.capture(machine)
                let search = Search(machine)
                machine.attachment = search
                let ask: (String) -> AnyPublisher<String, any Error> = machine.context.effect("search", service.ask)
                search.cancellables.append(search.questions.sink { [weak search] in search?.show(ask($0)) })
                if machine.value(of: "asked") != nil { search.show(ask("swift")) }
            })
    }

    /// Changes the output every second.
    private static func poll(_ machine: ScriptedMachine, _ number: Int) {
        machine.set("text", to: "\(number)")
        _ = machine.context.scheduler.schedule(after: .seconds(1), repeating: nil) { poll(machine, number + 1) }
    }

    private func stored(
        _ definition: MachineDefinition? = nil, on disk: TestDisk = TestDisk()
    ) throws -> StoredHost {
        try StoredHost(on: disk, of: definition ?? echo, spans: spans)
    }

    private func span(_ name: String) throws -> Span {
        let found = spans.spans(named: name)
        try #require(found.count == 1, "\(name): \(spans.names)")
        return found[0]
    }

    @Test func `a turn, its commit and its change are spans of the request's trace`() throws {
        let host = try stored()
        let session = host.makeSession()
        #expect(host.start(.post, session + "/inputs/say", body: "1", in: request).response == nil)
        #expect(spans.names == ["turn"])
        host.store()
        #expect(spans.names == ["turn", "journal commit", "change"])
        let turn = try span("turn")
        #expect(turn.parentID == 0xD)
        #expect(turn.attributes.contains(Span.Attribute("granary.cause", "say")))
        #expect(turn.attributes.contains(Span.Attribute("granary.version", .number(1))))
        for name in ["journal commit", "change"] { #expect(try span(name).parentID == turn.context.spanID) }
        #expect(spans.all.allSatisfy { $0.context.traceID == 0xABC && $0.context.state == "rojo=1" })
        #expect(Set(spans.all.map(\.context.spanID)).count == 3)
        #expect(spans.all.allSatisfy { $0.start < $0.end })
    }

    @Test func `a request without a span causes none, and its change names none`() throws {
        let host = try stored()
        let session = host.makeSession()
        let stream = host.harness.follow(session)
        _ = host.send(.post, session + "/inputs/say", body: "1")
        stream.read()
        #expect(stream.events.last?.data == "{\"text\":1}")
        #expect(!stream.text.contains("traceparent"))
        #expect(spans.all.isEmpty)
    }

    @Test func `a turn with an idempotency key is stored with its trace, and its repetition runs nothing`() throws {
        let host = try stored()
        let session = host.makeSession()
        for _ in 0..<2 { _ = host.send(.post, session + "/inputs/say", body: "1", key: "k", in: request) }
        #expect(spans.names == ["turn", "journal commit", "change"])
        #expect(try record(of: host).trace?.context == span("turn").context)
    }

    @Test func `the row of a turn has its span, and only if it was sampled`() throws {
        let host = try stored()
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/say", body: "1", in: request)
        #expect(try record(of: host).trace?.context == span("turn").context)
        _ = host.send(.post, session + "/inputs/say", body: "2")
        #expect(try record(of: host).trace == nil)
    }

    @Test func `operators see the span of a recorded turn`() throws {
        let host = try stored()
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/say", body: "1", in: request)
        _ = host.send(.post, session + "/inputs/say", body: "2")
        var turns = try RecordedTurns(try #require(host.disk.entries.first))
        let descriptions = try (0..<2).map { _ in
            let turn = try #require(try turns.next())
            return TurnDescription(turn, after: turns.former, ValueDisclosure(echo, isRevealed: false)).json
        }
        #expect(descriptions[0]["traceparent"]?.text == (try span("turn").context.traceparent))
        #expect(descriptions[1]["traceparent"] == nil)
    }

    @Test func `a session that is not stored has no commit`() throws {
        let harness = try HostHarness([echo], access: HostAccess(), spans: spans)
        let session = harness.makeSession()
        var input = HTTPRequest(
            method: .post, target: session + "/inputs/say", fields: [.contentType: "application/json"],
            body: Array("1".utf8))
        input.trace = request
        guard case .response(let response) = harness.respond(to: input) else {
            Issue.record("expected a response")
            return
        }
        #expect(response.status == .ok)
        #expect(spans.names == ["turn", "change"])
    }

    @Test func `the change names the span of its turn, also on a stream with selected outputs`() throws {
        let host = try stored()
        let session = host.makeSession()
        let streams = ["", "?only=text"].map { host.harness.follow(session, query: $0) }
        // A stream that has read nothing gets a snapshot.
        for stream in streams { stream.read() }
        _ = host.send(.post, session + "/inputs/say", body: "1", in: request)
        _ = host.send(.post, session + "/inputs/say", body: "2")
        let turn = try span("turn").context.traceparent
        for stream in streams {
            stream.read()
            #expect(stream.text.contains(".1\ntraceparent: \(turn)\ndata: {\"text\":1}\n\n"))
            #expect(stream.text.hasSuffix(".2\ndata: {\"text\":2}\n\n"))
            // Clients ignore a field that they do not know.
            #expect(stream.events.suffix(2).map(\.data) == ["{\"text\":1}", "{\"text\":2}"])
        }
    }

    @Test func `a stored change is sent with its span by the next process`() throws {
        let host = try stored()
        let session = host.makeSession()
        let stream = host.harness.follow(session)
        stream.read()
        _ = host.send(.post, session + "/inputs/say", body: "1", in: request)
        let turn = try span("turn").context.traceparent
        let next = try stored(on: host.disk)
        _ = next.send(.get, session)
        let resumed = next.harness.follow(session, after: stream.lastEventID)
        resumed.read()
        #expect(resumed.text.contains(".1\ntraceparent: \(turn)\ndata: {\"text\":1}\n\n"))
    }

    @Test func `an effect is a span, and the turn of its answer continues the trace`() throws {
        let host = try stored(.askingLatest(service))
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "1", in: request)
        #expect(service.traces.map { $0?.traceID } == [0xABC])
        #expect(spans.names == ["turn", "journal commit"])
        service.answer(0, "found")
        host.harness.loop.run()
        host.store()
        #expect(spans.names == ["turn", "journal commit", "effect", "turn", "journal commit", "change"])
        let effect = try span("effect")
        let turns = spans.spans(named: "turn")
        #expect(effect.parentID == turns[0].context.spanID && effect.failure == nil)
        #expect(service.traces[0]?.spanID == effect.context.spanID)
        #expect(turns[1].parentID == effect.context.spanID)
        #expect(spans.all.allSatisfy { $0.context.traceID == 0xABC })
    }

    @Test func `an effect that begins with its session belongs to the trace of the creation`() throws {
        let host = try stored(.askingOnce(service))
        _ = host.send(.post, "/v1/sessions", body: "{\"machine\":\"scripted\"}", in: request)
        let creation = try span("turn")
        #expect(creation.parentID == 0xD)
        #expect(creation.attributes.contains(Span.Attribute("granary.cause", "creation")))
        #expect(service.traces.map { $0?.traceID } == [0xABC])
        let next = try stored(.askingOnce(service), on: host.disk)
        let session = try #require(host.session)
        _ = next.send(.get, "/v1/sessions/\(session.id.text)")
        #expect(service.traces.map { $0?.traceID } == [0xABC, 0xABC])
    }

    @Test func `an effect that is asked again after a restart continues its trace`() throws {
        let host = try stored(searching)
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", in: request)
        let asked = try span("turn")
        let next = try stored(searching, on: host.disk)
        _ = next.send(.get, session)
        #expect(service.attempts == [1, 2])
        service.answer(1, "found")
        next.harness.loop.run()
        next.store()
        let effect = try span("effect")
        #expect(effect.parentID == asked.context.spanID && effect.context.traceID == 0xABC)
        #expect(effect.context.state == "rojo=1")
        #expect(effect.attributes.contains(Span.Attribute("granary.attempt", .number(2))))
        #expect(service.traces[1] == effect.context)
        let answered = try #require(spans.spans(named: "turn").last)
        #expect(answered.parentID == effect.context.spanID)
        #expect(spans.spans(named: "change").last?.parentID == answered.context.spanID)
    }

    @Test func `effects that fail or are cancelled have a reason`() throws {
        let host = try stored(.askingLatest(service))
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "1", in: request)
        _ = host.send(.post, session + "/inputs/ask", body: "2", in: request)
        #expect(spans.spans(named: "effect").map(\.failure) == ["cancelled"])
        service.fail(1)
        host.harness.loop.run()
        #expect(spans.spans(named: "effect").last?.failure?.contains("Unavailable") == true)
    }

    @Test func `an effect of a request without a span has none`() throws {
        let host = try stored(.askingLatest(service))
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        service.answer(0, "found")
        host.harness.loop.run()
        #expect(service.traces == [nil])
        #expect(spans.all.isEmpty)
    }

    @Test func `work that a turn schedules continues its trace`() throws {
        let host = try stored()
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/soon", body: "1", in: request)
        let turns = spans.spans(named: "turn")
        #expect(turns.count == 2 && turns[1].parentID == turns[0].context.spanID)
        #expect(try span("change").parentID == turns[1].context.spanID)
    }

    @Test func `a machine that polls continues a trace for a limited number of turns`() throws {
        let host = try stored()
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/poll", in: request)
        host.advance(by: 40)
        #expect(spans.spans(named: "turn").count == TraceLink.maxTurns)
    }

    @Test func `a timer that repeats does not continue a trace`() throws {
        let host = try stored()
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/tick", in: request)
        host.advance(by: 5)
        #expect(spans.spans(named: "turn").count == 1)
    }

    @Test func `code of a turn finds the span of the turn`() throws {
        let found = Lock<[TraceContext?]>([])
        let definition = ScriptedMachine.definition(
            outputs: ["text"], inputs: ["look": { _, _ in found.withLock { $0.append(.current) } }],
            made: { ScriptedState.capture($0) })
        let host = try stored(definition)
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/look", in: request)
        _ = host.send(.post, session + "/inputs/look")
        #expect(found.withLock { $0 } == [try span("turn").context, nil])
    }

    @Test func `a failure is part of the span, and its line in the log names the span`() throws {
        let lines = Lock<[LogEvent]>([])
        let log = Log(level: .error) { event in lines.withLock { $0.append(event) } }
        let harness = try HostHarness([echo], log: log, access: HostAccess(), spans: spans)
        let session = harness.makeSession()
        var input = HTTPRequest(method: .post, target: session + "/inputs/break")
        input.trace = request
        _ = harness.respond(to: input)
        let turn = try span("turn")
        #expect(turn.failure?.hasPrefix("incident ") == true)
        let fields = lines.withLock { $0 }.first { $0.message == "session failed" }?.fields ?? []
        #expect(fields.contains { $0.name == "trace" && $0.value == .text(turn.context.traceIDText) })
        #expect(fields.contains { $0.name == "span" && $0.value == .text(turn.context.spanIDText) })
    }

    @Test func `without a receiver of spans, nothing is traced`() throws {
        let host = try StoredHost(of: .askingLatest(service))
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "1", in: request)
        #expect(service.traces == [nil])
        #expect(try record(of: host).trace == nil)
    }

    /// Returns the last row of the only session.
    private func record(of host: StoredHost) throws -> TurnRecord {
        let row = try #require(host.disk.entries.first?.rows.last)
        return try TurnRecord(row.content[...])
    }
}

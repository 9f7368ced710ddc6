import CombineCore
import HTTPModel
import Locking
import MachineTesting
import Telemetry
import Testing

@testable import MachineHost

/// Topics of sessions that are stored.
struct StoredTopicTests {
    private func outputs(_ session: String, _ host: StoredHost) -> String {
        host.send(.get, session + "/outputs").text
    }

    private func records(_ host: StoredHost) throws -> [TurnRecord] {
        try host.disk.entries.flatMap(\.rows).map { try TurnRecord($0.content[...]) }
    }

    @Test func `a value leaves when its turn is stored`() throws {
        let host = try StoredHost(of: .chatting())
        let (one, other) = (host.makeSession(), host.makeSession())
        let answer = host.start(.post, one + "/inputs/say", body: "\"hello\"")
        #expect(answer.response == nil)
        let listener = try #require(host.harness.shard.sessions.values.first { other.hasSuffix($0.id.text) })
        #expect(listener.version == 0)
        host.step()
        #expect(answer.status == 200)
        #expect(listener.version == 1)
        #expect(outputs(other, host) == #"{"heard":["hello"]}"#)
    }

    @Test func `values that wait for the disk count like the turns that sent them`() throws {
        let host = try StoredHost(
            of: .chatting { machine, chatter in
                chatter.cancellables = []
                let topic = machine.context.topic("chat", of: String.self)
                for _ in 0..<300 { topic.send(String(repeating: "x", count: 16_000)) }
            })
        let journal = try #require(host.harness.shard.journal)
        let answer = host.start(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#)
        #expect(journal.waitingBytes > 300 * 16_000)
        #expect(journal.pause.isBacklog)
        host.store()
        #expect(answer.status == 201)
        #expect(journal.waitingBytes == 0)
        #expect(!journal.pause.isBacklog)
    }

    @Test func `a value leaves although its session is deleted before the turn is stored`() throws {
        let host = try StoredHost(of: .chatting())
        let (one, other) = (host.makeSession(), host.makeSession())
        _ = host.start(.post, one + "/inputs/say", body: "\"farewell\"")
        _ = host.start(.delete, one)
        host.store()
        #expect(outputs(other, host) == #"{"heard":["farewell"]}"#)
    }

    @Test func `a value of a turn that is not stored is lost with the process`() throws {
        let host = try StoredHost(of: .chatting())
        let (one, other) = (host.makeSession(), host.makeSession())
        _ = host.start(.post, one + "/inputs/say", body: "\"hello\"")
        let next = try StoredHost(on: host.disk, after: 1, of: .chatting())
        #expect(outputs(other, next) == "{}")
        _ = next.send(.post, one + "/inputs/say", body: "\"again\"")
        #expect(outputs(other, next) == #"{"heard":["again"]}"#)
    }

    @Test func `a value that is received is the trigger of its turn in the record`() throws {
        let host = try StoredHost(of: .chatting())
        _ = host.makeSession()
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/say", body: "\"hello\"")
        let received = TurnRecord.Trigger.received(topic: "chat", number: 1, value: Array("\"hello\"".utf8)[...])
        #expect(try records(host).filter { $0.trigger == received }.count == 2)
    }

    @Test func `a value that changes nothing is recorded, too`() throws {
        let host = try StoredHost(
            of: .chatting { machine, chatter in
                chatter.cancellables = [machine.context.topic("chat", of: String.self).sink { _ in }]
            })
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/say", body: "\"hello\"")
        #expect(try records(host).map(\.trigger.text) == ["say", "topic chat"])
        #expect(try records(host).last?.change == nil)
    }

    @Test func `a restored session subscribes again, and publishes nothing again`() throws {
        let definition = MachineDefinition.chatting { machine, _ in
            machine.context.topic("chat", of: String.self).send("I am new")
        }
        let host = try RestartableHost([definition])
        let (one, other) = (host.harness.makeSession(), host.harness.makeSession())
        #expect(host.send(.get, one + "/outputs").text == #"{"heard":["I am new","I am new"]}"#)
        try host.restart()
        #expect(host.send(.get, other + "/outputs").text == #"{"heard":["I am new"]}"#)
        #expect(host.send(.get, one + "/outputs").text == #"{"heard":["I am new","I am new"]}"#)
        _ = host.send(.post, one + "/inputs/say", body: "\"hello\"")
        #expect(host.send(.get, other + "/outputs").text == #"{"heard":["I am new","hello"]}"#)
    }

    @Test func `a restart forgets current values, and an offer brings them back`() throws {
        let host = try RestartableHost([.chatting(.latest)])
        let one = host.harness.makeSession()
        _ = host.send(.post, one + "/inputs/say", body: "\"hello\"")
        try host.restart()
        let other = host.harness.makeSession()
        #expect(host.send(.get, other + "/outputs").text == "{}")
        _ = host.send(.post, one + "/inputs/offer", body: "\"hello\"")
        #expect(host.send(.get, other + "/outputs").text == #"{"heard":["hello"]}"#)
    }

    @Test func `a replay delivers the recorded values, and publishes nothing`() throws {
        let definition = MachineDefinition.chatting()
        let host = try RestartableHost([definition])
        let (one, other) = (host.harness.makeSession(), host.harness.makeSession())
        _ = host.send(.post, one + "/inputs/count", body: "2")
        _ = host.send(.post, other + "/inputs/say", body: "\"hello\"")
        try host.restart()
        _ = host.send(.post, one + "/inputs/say", body: "\"again\"")
        for session in [one, other] {
            let recording = try SessionRecording(try host.recording(of: session))
            var replay = try Replay(recording, definition)
            var turns: [String] = []
            let divergence = try replay.run { turns.append("\($0)") }
            #expect(divergence?.description == nil)
            #expect(turns.count { $0.contains("topic chat \"") } >= 3)
        }
    }

    @Test func `a replay delivers a value once to each subscriber, before and after a restart`() throws {
        let definition = MachineDefinition.chatting(.latest) { machine, chatter in
            let topic = machine.context.topic("chat", of: String.self, delivering: .latest)
            // Subscribes again when it hears something for the first time.
            chatter.cancellables.append(
                topic.sink { [unowned machine, unowned chatter] _ in
                    guard chatter.cancellables.count == 2 else { return }
                    chatter.cancellables.append(
                        topic.sink { [unowned machine] in machine.set("there", to: "\"\($0)\"") })
                })
        }
        let host = try RestartableHost([definition])
        let session = host.harness.makeSession()
        for text in ["one", "two"] {
            _ = host.send(.post, session + "/inputs/say", body: "\"\(text)\"")
            let outputs = host.send(.get, session + "/outputs").text
            #expect(outputs.contains("\"there\":\"\(text)\""))
            try host.restart()
        }
        try assertReplays(host.recording(of: session), definition)
    }

    @Test func `a replay notices that a machine does something else with a value`() throws {
        let host = try RestartableHost([.chatting()])
        let session = host.harness.makeSession()
        _ = host.send(.post, session + "/inputs/say", body: "\"hello\"")
        let recording = try SessionRecording(try host.recording(of: session))
        let deaf = MachineDefinition.chatting { _, chatter in chatter.cancellables = [] }
        var replay = try Replay(recording, deaf)
        #expect(try replay.run()?.turn?.number == 2)
    }

    @Test func `a session that subscribes does not sleep`() throws {
        let host = try StoredHost(of: .chatting(), hibernates: true)
        let session = host.makeSession()
        host.advance(by: 120)
        #expect(host.harness.shard.sessions.count == 1)
        #expect(
            host.send(.get, session).text.contains(#""dormant":false,"awake":{"because":"topic","name":"chat"}"#))
        _ = host.send(.post, session + "/inputs/leave")
        host.advance(by: 120)
        #expect(host.harness.shard.sessions.isEmpty)
    }

    @Test func `values wait for a session whose turns wait, and are lost by the rule`() throws {
        let host = try StoredHost(of: .chatting()) { $0.topics.queuedValues = 2 }
        let session = host.makeSession()
        let shard = host.harness.shard
        shard.journal?.pause.begin(.backlog)
        for number in 1...5 {
            _ = host.harness.host.topics.publish(
                Publication(topic: "chat", rule: .dropOldest, json: Array("\"\(number)\"".utf8)))
            host.harness.loop.run()
        }
        let lost = shard.meter.cells.snapshot.values.first {
            $0.key.family.name == "granary_topic_values_lost" && $0.key.values == ["scripted", "dropped"]
        }
        #expect(lost?.value == .count(3))
        shard.journal?.pause.end(.backlog)
        shard.releaseHeld()
        host.store()
        #expect(outputs(session, host) == #"{"heard":["4","5"]}"#)
    }

    @Test func `the turns that a value causes belong to the trace of its sender`() throws {
        let spans = CollectedSpans()
        let host = try StoredHost(of: .chatting(), spans: spans)
        let session = host.makeSession()
        let request = TraceContext(traceID: 0xABC, spanID: 0xD, state: "")
        _ = host.send(.post, session + "/inputs/say", body: "\"hello\"", in: request)
        let turns = spans.spans(named: "turn")
        #expect(turns.count == 2)
        #expect(turns.allSatisfy { $0.context.traceID == 0xABC })
        #expect(turns.last?.parentID == turns.first?.context.spanID)
        #expect(turns.last?.attributes.contains(Span.Attribute("granary.cause", .text("topic chat"))) == true)
    }

    @Test func `what a session has stated in another type does not make the list unreadable`() throws {
        let host = try StoredHost(
            of: .chatting { machine, chatter in
                let guests = machine.context.presence(in: "chat", of: Int.self)
                guests.enter(7)
                chatter.cancellables.append(guests.sink { _ in })
            })
        let one = host.makeSession()
        let next = try StoredHost(on: host.disk, after: 1, of: .meeting)
        let other = next.makeSession()
        _ = next.send(.post, other + "/inputs/enter", body: "\"Bob\"")
        _ = next.send(.get, one + "/outputs")
        let streams = [next.harness.follow(one), next.harness.follow(other)]
        next.advance(by: 1)
        #expect(outputs(other, next).contains(#""there":"1: Bob""#))
        withExtendedLifetime(streams) {}
    }

    @Test func `the name of a topic does not control the terminal of an operator`() {
        var record = TurnRecord(time: 1, version: 1)
        record.trigger = .received(topic: "a\u{1B}[2J", number: 1, value: Array("\"\u{9B}2J\"".utf8)[...])
        let text = "\(ReplayedTurn(number: 1, record: record))"
        #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        #expect(text.contains("topic a\u{FFFD}[2J"))
    }

    @Test func `an operator sees the topic and the value that caused a turn`() throws {
        let trigger = TurnRecord.Trigger.received(topic: "chat", number: 7, value: Array("\"hello\"".utf8)[...])
        var record = TurnRecord(time: 1, version: 1)
        record.trigger = trigger
        var bytes: [UInt8] = []
        record.append(to: &bytes)
        #expect(try TurnRecord(bytes[...]) == record)
        #expect("\(ReplayedTurn(number: 1, record: record))".contains("topic chat \"hello\""))
    }
}

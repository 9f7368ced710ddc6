import CombineCore
import HTTPModel
import Locking
import Log
import MachineTesting
import Telemetry
import Testing

@testable import MachineHost

/// Topics of sessions that are not stored.
struct TopicTests {
    private let events = Lock<[LogEvent]>([])

    private func harness(
        _ definition: MachineDefinition = .chatting(), _ configure: (inout HostConfiguration) -> Void = { _ in }
    ) throws -> HostHarness {
        var configuration = HostConfiguration()
        configure(&configuration)
        let log = Log(level: .warning) { [events] event in events.withLock { $0.append(event) } }
        return try HostHarness([definition], configuration: configuration, log: log)
    }

    /// The logged reasons of failed sessions.
    private var reasons: [String] {
        events.withLock { $0 }.filter { $0.message == "session failed" }.flatMap(\.fields)
            .filter { $0.name == "reason" }.map { "\($0.value)" }
    }

    private func outputs(_ session: String, _ harness: HostHarness) -> String {
        harness.send(.get, session + "/outputs").text
    }

    private func count(_ name: String, _ labels: [String], _ harness: HostHarness) -> MetricSnapshot.Value? {
        harness.shard.meter.cells.snapshot.values.first { $0.key.family.name == name && $0.key.values == labels }?.value
    }

    @Test func `a value reaches all sessions that subscribe, as a turn of its own`() throws {
        let harness = try harness()
        let (one, other) = (harness.makeSession(), harness.makeSession())
        #expect(harness.input(one, "say", "\"hello\"").text == #"{"version":0,"changes":{}}"#)
        #expect(outputs(one, harness) == #"{"heard":["hello"]}"#)
        #expect(outputs(other, harness) == #"{"heard":["hello"]}"#)
        #expect(harness.send(.get, other).text.contains(#""version":1"#))
        #expect(count("granary_topic_values_published", ["scripted"], harness) == .count(1))
        #expect(count("granary_topic_values_received", ["scripted"], harness) == .count(2))
    }

    @Test func `the values of a sender arrive in their order, each in a turn`() throws {
        let harness = try harness()
        let (one, other) = (harness.makeSession(), harness.makeSession())
        _ = harness.input(one, "count", "3")
        _ = harness.input(other, "say", "\"4\"")
        #expect(outputs(other, harness) == #"{"heard":["1","2","3","4"]}"#)
        #expect(harness.send(.get, other).text.contains(#""version":4"#))
    }

    @Test func `a session without subscriptions hears nothing`() throws {
        let harness = try harness()
        let (one, other) = (harness.makeSession(), harness.makeSession())
        _ = harness.input(one, "leave")
        _ = harness.input(other, "say", "\"hello\"")
        #expect(outputs(one, harness) == "{}")
        #expect(outputs(other, harness) == #"{"heard":["hello"]}"#)
    }

    @Test(arguments: [
        (TopicRule.dropOldest, #"["9998","9999","10000"]"#), (.dropNewest, #"["1","2","3"]"#), (.latest, #"["10000"]"#),
    ])
    func `what is too much is lost by the rule of the topic, and counted`(rule: TopicRule, heard: String) throws {
        let harness = try harness(.chatting(rule)) { $0.topics.queuedValues = 3 }
        let session = harness.makeSession()
        _ = harness.input(session, "count", "10000")
        #expect(outputs(session, harness) == "{\"heard\":\(heard)}")
        let reason = rule == .latest ? "conflated" : "dropped"
        let lost = rule == .latest ? 9999 : 9997
        #expect(count("granary_topic_values_lost", ["scripted", reason], harness) == .count(UInt64(lost)))
    }

    @Test func `a topic with a current value passes it to new subscribers`() throws {
        let harness = try harness(.chatting(.latest))
        let one = harness.makeSession()
        _ = harness.input(one, "say", "\"first\"")
        _ = harness.input(one, "say", "\"second\"")
        let other = harness.makeSession()
        #expect(outputs(other, harness) == #"{"heard":["second"]}"#)
        #expect(outputs(one, harness) == #"{"heard":["first","second"]}"#)
    }

    @Test func `a second subscriber of a session gets the current value, and the first one not again`() throws {
        let harness = try harness(
            .chatting(.latest) { machine, chatter in
                let topic = machine.context.topic("chat", of: String.self, delivering: .latest)
                // Subscribes again when it hears something for the first time.
                chatter.cancellables.append(
                    topic.first().sink { [unowned machine, unowned chatter] _ in
                        chatter.cancellables.append(
                            topic.sink { [unowned machine] in machine.set("there", to: "\"\($0)\"") })
                    })
            })
        let session = harness.makeSession()
        _ = harness.input(session, "say", "\"hello\"")
        #expect(outputs(session, harness) == #"{"heard":["hello"],"there":"hello"}"#)
    }

    @Test func `an offer is published only if the topic has no current value`() throws {
        let harness = try harness(.chatting(.latest))
        let session = harness.makeSession()
        _ = harness.input(session, "offer", "\"first\"")
        _ = harness.input(session, "offer", "\"second\"")
        #expect(outputs(session, harness) == #"{"heard":["first"]}"#)
    }

    @Test func `a turn that fails publishes nothing`() throws {
        let harness = try harness()
        let (one, other) = (harness.makeSession(), harness.makeSession())
        #expect(harness.input(one, "sayAndFail", "\"hello\"").status == .internalServerError)
        #expect(outputs(other, harness) == "{}")
    }

    @Test func `a session that ends is no subscriber any more`() throws {
        let harness = try harness { $0.topics.subscribers = 2 }
        let (one, other) = (harness.makeSession(), harness.makeSession())
        let refused = harness.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#)
        #expect(refused.status == .serviceUnavailable)
        #expect(reasons.first?.contains("topics.subscribers") == true)
        #expect(harness.send(.delete, one).status == .noContent)
        let later = harness.makeSession()
        _ = harness.input(other, "say", "\"hello\"")
        #expect(outputs(later, harness) == #"{"heard":["hello"]}"#)
    }

    @Test func `a value that is too large ends the session that sends it`() throws {
        let harness = try harness { $0.topics.valueBytes = 10 }
        let (one, other) = (harness.makeSession(), harness.makeSession())
        #expect(harness.input(one, "say", "\"12345678\"").status == .ok)
        #expect(harness.input(one, "say", "\"123456789\"").status == .internalServerError)
        #expect(reasons.first?.contains("of at most 10 bytes as JSON, got 11 (topics.valueBytes)") == true)
        #expect(outputs(other, harness) == #"{"heard":["12345678"]}"#)
    }

    @Test func `a value of another type is dropped and counted`() throws {
        let harness = try harness(
            .chatting { machine, chatter in
                let numbers = machine.context.topic("chat", of: Int.self)
                chatter.cancellables.append(
                    numbers.sink { [unowned machine] in machine.set("there", to: "\($0)") })
            })
        let session = harness.makeSession()
        _ = harness.input(session, "say", "\"hello\"")
        #expect(outputs(session, harness) == #"{"heard":["hello"]}"#)
        #expect(count("granary_topic_values_lost", ["scripted", "mismatched"], harness) == .count(1))
    }

    @Test func `a session that answers its own values ends, and one that only listens does not`() throws {
        let isEcho = Lock(false)
        let harness = try harness(
            .chatting { machine, chatter in
                guard isEcho.withLock({ $0 }) else { return }
                let topic = machine.context.topic("chat", of: String.self)
                chatter.cancellables.append(topic.sink { topic.send($0) })
            }
        ) { $0.turnsInARow = 10 }
        let listener = harness.makeSession()
        isEcho.withLock { $0 = true }
        let echo = harness.makeSession()
        _ = harness.input(listener, "say", "\"x\"")
        #expect(harness.send(.get, echo).status == .gone)
        #expect(reasons.count == 1)
        #expect(reasons.first?.contains("sessions.turnsInARow") == true)
        #expect(harness.input(listener, "nothing").status == .ok)
    }

    @Test func `a session for which many values wait does not end`() throws {
        let harness = try harness { $0.turnsInARow = 1 }
        let session = harness.makeSession()
        _ = harness.input(session, "count", "100")
        #expect(outputs(session, harness).hasSuffix(#""99","100"]}"#))
        #expect(reasons.isEmpty)
    }

    @Test func `a machine cannot send a list of members`() throws {
        let harness = try harness(
            .chatting { machine, _ in
                machine.context.topic("members:chat", of: [String: Int].self).send(["count": 7])
            })
        let answer = harness.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#)
        #expect(answer.status == .internalServerError)
    }

    @Test func `the list of a topic without a name is not the number of streams`() throws {
        let harness = try harness(
            .chatting { machine, chatter in
                chatter.cancellables.append(machine.context.presence(in: "", of: String.self).sink { _ in })
            })
        let answer = harness.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#)
        #expect(answer.status == .internalServerError)
        #expect(reasons.first?.contains("a name of 1 to 200 bytes, got 0") == true)
    }

    @Test func `a value that another thread sends is published`() throws {
        let harness = try harness()
        let session = harness.makeSession()
        let live = try #require(harness.shard.sessions.values.first)
        let topic = UnsafeTransfer(live.context.topic("chat", of: String.self))
        onAnotherThread { topic.value.send("from elsewhere") }
        harness.loop.run()
        #expect(outputs(session, harness) == #"{"heard":["from elsewhere"]}"#)
    }
}

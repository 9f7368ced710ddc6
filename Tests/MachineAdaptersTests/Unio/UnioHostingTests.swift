import Dispatch
import HTTPModel
import Locking
import MachineHost
import MachineTesting
import Testing
import Unio
import UnioAdapter

/// Unio streams in a host, as clients see them.
struct UnioHostingTests {
    private func harness() throws -> HostHarness {
        try HostHarness([
            .unio("pantry", summary: "Everything.", values: ["last"], hidden: ["secret"]) { _ in
                PantryStream(input: .init(), state: .init(), extra: .init())
            },
            .unio("plain", summary: "The counter of the slides.") { _ in
                PlainCounterStream(input: .init(), state: .init(), extra: .init())
            },
            .unio("patient", summary: "An echo after a second.") { _ in
                PatientStream(input: .init(), state: .init(), extra: .init(ended: {}))
            },
        ])
    }

    private func send(_ input: String, _ body: String? = nil, to session: String, _ harness: HostHarness)
        -> HarnessAnswer
    {
        harness.send(.post, "\(session)/inputs/\(input)", body: body)
    }

    @Test func `a client receives a snapshot and then each turn's changes once`() throws {
        let harness = try harness()
        let session = harness.makeSession(of: "pantry")
        let follower = harness.follow(session)
        follower.read()
        #expect(
            follower.events.first?.data
                == "{\"count\":0,\"text\":\"0\",\"mirrored\":0,\"level\":0.5,\"isEven\":true,\"label\":\"fixed\"}")
        let answer = send("increment", to: session, harness)
        #expect(
            answer.text
                == "{\"version\":1,\"changes\":{\"count\":2,\"text\":\"2\",\"mirrored\":2,"
                + "\"$emitted\":[{\"output\":\"rang\",\"value\":null}]}}")
        follower.read()
        #expect(follower.events.count == 2)
    }

    @Test func `the counter of the presentation shows its text from the start`() throws {
        let harness = try harness()
        let session = harness.makeSession(of: "plain")
        #expect(harness.send(.get, session + "/outputs").text == "{\"text\":\"0\"}")
        #expect(send("increment", to: session, harness).text == "{\"version\":1,\"changes\":{\"text\":\"1\"}}")
    }

    @Test func `a computed output is computed again at the end of each turn`() throws {
        let harness = try harness()
        let session = harness.makeSession(of: "pantry")
        #expect(send("add", "3", to: session, harness).text.contains("\"isEven\":false"))
        #expect(!send("add", "2", to: session, harness).text.contains("isEven"))
    }

    @Test func `a failed output keeps its last value`() throws {
        let harness = try harness()
        let session = harness.makeSession(of: "pantry")
        #expect(send("level", "1", to: session, harness).text.contains("\"level\":1"))
        #expect(send("fail", to: session, harness).text == "{\"version\":1,\"changes\":{}}")
        #expect(harness.send(.get, session + "/outputs").text.contains("\"level\":1"))
        #expect(send("increment", to: session, harness).text.contains("\"count\":2"))
    }

    @Test func `the problem for a value of another type uses the terms of the schema`() throws {
        let harness = try harness()
        let session = harness.makeSession(of: "pantry")
        let answer = send("add", "\"three\"", to: session, harness)
        #expect(answer.status.code == 422)
        #expect(answer.text.contains("expected a whole number, got the string"))
        #expect(send("shout", to: session, harness).status == .notFound)
    }

    @Test func `the main scheduler runs on the session with the loop's time`() throws {
        let harness = try harness()
        let session = harness.makeSession(of: "patient")
        let follower = harness.follow(session)
        follower.read()
        #expect(send("say", "\"a\"", to: session, harness).text == "{\"version\":0,\"changes\":{}}")
        harness.loop.advance(by: .milliseconds(999))
        #expect(send("say", "\"b\"", to: session, harness).text == "{\"version\":0,\"changes\":{}}")
        harness.loop.advance(by: .milliseconds(999))
        #expect(harness.send(.get, session + "/outputs").text == "{\"at\":0}")
        harness.loop.advance(by: .milliseconds(1))
        follower.read()
        #expect(
            follower.events.last?.data == "{\"at\":1,\"$emitted\":[{\"output\":\"echo\",\"value\":\"b\"}]}")
    }

    // A tick without a delay would be a turn that the tick before has caused.
    @Test(arguments: [0, -1]) func `a timer without a period does not end a session that lasts`(period: Int) throws {
        var configuration = HostConfiguration()
        configuration.turnsInARow = 10
        let ticking = try MachineDefinition.unio("ticking", summary: "Ticks.") { _ in
            TickingStream(input: .init(), state: .init(), extra: .init(period: .nanoseconds(period)))
        }
        let host = try RestartableHost([ticking], configuration: configuration)
        let session = host.harness.makeSession(of: "ticking")
        for _ in 0..<2 {
            for _ in 0..<20 {
                host.harness.loop.run()
                host.harness.loop.advance(by: .nanoseconds(1))
            }
            let answer = host.send(.get, session + "/outputs")
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(!answer.text.contains("\"ticks\":0"), "\(answer.text)")
            try host.restart()
        }
    }

    @Test func `pending work of a stream is cancelled with its session`() throws {
        let harness = try harness()
        let session = harness.makeSession(of: "patient")
        let timers = harness.loop.timerCount
        _ = send("say", "\"a\"", to: session, harness)
        #expect(harness.loop.timerCount == timers + 1)
        _ = harness.send(.delete, session)
        #expect(harness.loop.timerCount <= timers)
        harness.loop.advance(by: .seconds(2))
    }

    @Test func `a stream that retains itself ends and is freed with its session`() throws {
        let weakly = Lock<Weak>(Weak())
        let seen = Lock<[Int]>([])
        let harness = try HostHarness([
            .unio("entangled", summary: "Holds itself.") { _ in
                let extra = EntangledStream.Extra(seen: { number in seen.withLock { $0.append(number) } })
                let stream = EntangledStream(input: .init(), state: .init(), extra: extra)
                extra.stream = stream
                weakly.withLock { $0.stream = stream }
                return stream
            }
        ])
        let session = harness.makeSession(of: "entangled")
        let input = weakly.withLock { $0.stream?.input }
        _ = send("count", "1", to: session, harness)
        #expect(weakly.withLock { $0.stream } != nil)
        _ = harness.send(.delete, session)
        #expect(weakly.withLock { $0.stream } == nil)
        input?.count(2)
        #expect(seen.withLock { $0 } == [1])
    }

    private struct Weak {
        weak var stream: EntangledStream?
    }

    @Test func `two sessions share no state`() throws {
        let harness = try harness()
        let (one, other) = (harness.makeSession(of: "patient"), harness.makeSession(of: "patient"))
        _ = send("say", "\"a\"", to: one, harness)
        harness.loop.advance(by: .seconds(1))
        #expect(harness.send(.get, one + "/outputs").text == "{\"at\":1}")
        #expect(harness.send(.get, other + "/outputs").text == "{\"at\":0}")
    }
}

import HTTPModel
import MachineHost
import MachineTesting
import Testing

struct StreamTests {
    @Test func `a new stream starts with the reconnection time and a snapshot of the outputs`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let answer = harness.send(.get, session + "/outputs", fields: [.accept: "text/event-stream"])
        #expect(answer.status == .ok)
        #expect(
            answer.fields == [
                .contentType: "text/event-stream", .cacheControl: "no-store, no-transform", .xAccelBuffering: "no",
            ])
        let follower = harness.follow(session)
        follower.read()
        #expect(follower.retry == .milliseconds(2000))
        #expect(follower.text.hasPrefix("retry: 2000\n\nevent: snapshot\nid: "))
        #expect(follower.text.hasSuffix(".0\ndata: {\"count\":0,\"isEven\":true}\n\n"))
    }

    @Test func `each turn is one change with the next version`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        harness.input(session, "increment")
        #expect(follower.isReady)
        follower.read()
        #expect(follower.events.count == 2)
        #expect(follower.events.last?.event == "change")
        #expect(follower.events.last?.data == "{\"count\":1,\"isEven\":false}")
        #expect(follower.view.version == 1)
    }

    @Test func `unchanged outputs are left out of a change, and a turn without changes sends no event`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        #expect(harness.input(session, "nothing").text == "{\"version\":0,\"changes\":{}}")
        #expect(harness.input(session, "set", "0").text == "{\"version\":0,\"changes\":{}}")
        #expect(!follower.isReady)
        #expect(harness.input(session, "add", "2").text == "{\"version\":1,\"changes\":{\"count\":2}}")
    }

    @Test func `a machine's event is part of its turn's change and never part of a snapshot`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        let answer = harness.send(
            .post, session + "/inputs",
            body: """
                [{"input":"complain","value":"offline"},{"input":"increment"},{"input":"complain","value":[1,\n2]}]
                """.replacing("offline", with: "off\\nline"))
        #expect(answer.status == .ok)
        follower.read()
        #expect(
            follower.events.last?.data == """
                {"count":1,"isEven":false,"$emitted":[{"output":"error","value":"off\\nline"},\
                {"output":"error","value":[1, 2]}]}
                """)
        let late = harness.follow(session)
        late.read()
        #expect(late.events.last?.data == "{\"count\":1,\"isEven\":false}")
    }

    @Test func `an output that becomes nil is sent as null, and one without a value is left out`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        #expect(harness.input(session, "late", "\"x\"").text == "{\"version\":1,\"changes\":{\"late\":\"x\"}}")
        #expect(harness.input(session, "late", "null").text == "{\"version\":2,\"changes\":{\"late\":null}}")
        let follower = harness.follow(session)
        follower.read()
        #expect(follower.view.outputs["late"] == "null")
    }

    @Test func `a line break in a machine's output does not break the event`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let follower = harness.follow(session)
        harness.input(session, "set", "[1,\n2,\r\n3]")
        follower.read()
        #expect(follower.view.outputs["count"] == "[1, 2,  3]")
    }

    @Test func `a client that reconnects receives the changes it missed`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let first = harness.follow(session)
        first.read()
        harness.input(session, "increment")
        first.read()
        first.cut()
        for _ in 0..<3 { harness.input(session, "increment") }
        let second = harness.follow(session, after: first.lastEventID)
        second.read()
        #expect(second.events.map(\.event) == ["resume", "change", "change", "change"])
        #expect(second.events[0].data == "{\"from\":1,\"missed\":3}")
        #expect(second.events[0].id == first.lastEventID)
        let query = harness.follow(session, query: "?lastEventID=\(second.lastEventID)")
        query.read()
        #expect(query.events.map(\.data) == ["{\"from\":4,\"missed\":0}"])
    }

    @Test(arguments: ["", "nonsense", "AAAAAA.0", "AAAAAA.", "ÄÖ.1", "AAAAAA.99999999999999999999999", "."])
    func `a client with an invalid position receives a snapshot`(id: String) throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let follower = harness.follow(session, after: id)
        follower.read()
        #expect(follower.events.map(\.event) == ["snapshot"])
    }

    @Test func `a client with a position of another session or of the future receives a snapshot`() throws {
        let harness = try HostHarness.counting()
        let (one, other) = (harness.makeSession(), harness.makeSession())
        for _ in 0..<2 { harness.input(one, "increment") }
        let follower = harness.follow(one)
        follower.read()
        let strange = harness.follow(other, after: follower.lastEventID)
        strange.read()
        #expect(strange.events.map(\.event) == ["snapshot"])
        #expect(strange.view.outputs["count"] == "0")
        let future = harness.follow(one, after: follower.lastEventID.replacing(".2", with: ".3"))
        future.read()
        #expect(future.events.map(\.event) == ["snapshot"])
    }

    @Test func `a client whose missed changes were dropped receives a snapshot`() throws {
        let harness = try HostHarness.counting { $0.historyChanges = 4 }
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        for _ in 0..<4 { harness.input(session, "increment") }
        let remembered = harness.follow(session, after: follower.lastEventID)
        remembered.read()
        #expect(remembered.events.map(\.event) == ["resume"] + Array(repeating: "change", count: 4))
        harness.input(session, "increment")
        let forgotten = harness.follow(session, after: follower.lastEventID)
        forgotten.read()
        #expect(forgotten.events.map(\.event) == ["snapshot"])
        #expect(forgotten.view.outputs["count"] == "5")
    }

    @Test func `only the requested outputs and machine events are streamed`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let follower = harness.follow(session, query: "?only=isEven,error")
        follower.read()
        harness.input(session, "add", "2")
        harness.input(session, "increment")
        harness.input(session, "complain", "1")
        follower.read()
        #expect(
            follower.events.map(\.data) == [
                "{\"isEven\":true}", "{\"isEven\":false}", "{\"$emitted\":[{\"output\":\"error\",\"value\":1}]}",
            ])
        #expect(follower.lastEventID.hasSuffix(".3"))
        let counting = harness.follow(
            session, query: "?only=count", after: follower.lastEventID.replacing(".3", with: ".0"))
        counting.read()
        #expect(counting.events.map(\.data) == ["{\"from\":0,\"missed\":2}", "{\"count\":2}", "{\"count\":3}"])
    }

    @Test func `a change larger than the history reaches readers that keep up`() throws {
        let harness = try HostHarness.counting { $0.historyBytes = 256 }
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        let large = "\"" + String(repeating: "x", count: 5000) + "\""
        harness.input(session, "set", large)
        follower.read(limit: 100)
        harness.input(session, "set", "1")
        follower.read()
        #expect(follower.events.map(\.event) == ["snapshot", "change", "change"])
        #expect(follower.view.outputs["count"] == "1")
    }

    @Test func `a slow reader does not slow down other readers`() throws {
        let harness = try HostHarness.counting { $0.historyChanges = 4 }
        let (session, other) = (harness.makeSession(), harness.makeSession())
        let (slow, quick, elsewhere) = (harness.follow(session), harness.follow(session), harness.follow(other))
        for follower in [slow, quick, elsewhere] { follower.read() }
        for step in 1...50 {
            harness.input(session, "increment")
            harness.input(other, "increment")
            quick.read()
            elsewhere.read()
            #expect(quick.view.version == UInt64(step))
            #expect(elsewhere.view.version == UInt64(step))
        }
        #expect(quick.events.map(\.event) == ["snapshot"] + Array(repeating: "change", count: 50))
        slow.read()
        #expect(slow.events.map(\.event) == ["snapshot", "snapshot"])
        #expect(slow.view.outputs == quick.view.outputs)
    }

    @Test func `a slow reader within the history receives every change`() throws {
        let harness = try HostHarness.counting { $0.historyChanges = 4 }
        let session = harness.makeSession()
        let slow = harness.follow(session)
        slow.read()
        for _ in 0..<4 { harness.input(session, "increment") }
        slow.read(limit: 1)
        #expect(slow.events.map(\.event) == ["snapshot", "change", "change", "change", "change"])
        #expect(slow.readyCount == 1)
    }

    @Test func `an empty only parameter selects no outputs, and one that cannot be decoded is rejected`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let both = "{\"count\":0,\"isEven\":true}"
        #expect(harness.send(.get, session + "/outputs?only=").text == "{}")
        #expect(harness.send(.get, session + "/outputs?only=count%2CisEven").text == both)
        #expect(harness.send(.get, session + "/outputs?only=isEven,count,count").text == both)
        for query in ["?only=%FF", "?only=%2", "?x=1&only=%zz"] {
            let answer = harness.send(.get, session + "/outputs" + query)
            #expect(answer.status == .badRequest)
            #expect(answer.text.contains("/problems/malformed-request"))
        }
    }

    @Test func `the header field takes precedence over the query`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let first = harness.follow(session)
        first.read()
        for _ in 0..<2 { harness.input(session, "increment") }
        first.read()
        let position = first.lastEventID
        let older = position.replacing(".2", with: ".1")
        let both = harness.follow(session, query: "?lastEventID=\(older)", after: position)
        both.read()
        #expect(both.events.map(\.data) == ["{\"from\":2,\"missed\":0}"])
        let query = harness.follow(session, query: "?only=count&lastEventID=\(older)")
        query.read()
        #expect(query.events.map(\.data) == ["{\"from\":1,\"missed\":1}", "{\"count\":2}"])
        let nonsense = harness.follow(session, query: "?lastEventID=%FF")
        nonsense.read()
        #expect(nonsense.events.map(\.event) == ["snapshot"])
    }

    @Test func `a filtered stream reports only the missed changes of its own outputs`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let whole = harness.follow(session)
        whole.read()
        let start = whole.lastEventID
        for step in ["1", "2", "2", "1"] { harness.input(session, "add", step) }
        let even = harness.follow(session, query: "?only=isEven", after: start)
        even.read()
        let expected = ["{\"from\":0,\"missed\":2}", "{\"isEven\":false}", "{\"isEven\":true}"]
        #expect(even.events.map(\.data) == expected)
        #expect(even.lastEventID.hasSuffix(".4"))
    }

    @Test func `a removed value is sent as null`() throws {
        let harness = try HostHarness([
            ScriptedMachine.definition(
                outputs: ["a"],
                inputs: ["set": { $0.set("a", to: $1) }, "forget": { machine, _ in machine.set("a", to: nil) }])
        ])
        let session = harness.makeSession()
        #expect(harness.input(session, "forget").text == "{\"version\":0,\"changes\":{}}")
        harness.input(session, "set", "1")
        #expect(harness.input(session, "forget").text == "{\"version\":2,\"changes\":{\"a\":null}}")
        #expect(harness.input(session, "forget").text == "{\"version\":2,\"changes\":{}}")
        #expect(harness.send(.get, session + "/outputs").text == "{\"a\":null}")
    }
}

import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// The request bodies that the host accepts.
struct BodyTests {
    @Test(arguments: [
        [0xFF], [0x22, 0xC3, 0x28, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x00],
        [0xEF, 0xBB, 0xBF, 0x31],
    ])
    func `a body that is not valid JSON is rejected, and no input runs`(bytes: [UInt8]) throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        for target in ["/inputs/set", "/inputs"] {
            let answer = harness.send(.post, session + target, bytes: bytes)
            #expect(answer.status == .badRequest)
            #expect(answer.text.contains("/problems/malformed-json"))
            #expect(answer.text.contains("\"line\":1,"))
        }
        #expect(harness.send(.post, "/v1/sessions", bytes: bytes).status == .badRequest)
        #expect(harness.send(.get, session).text.contains("\"version\":0,"))
    }

    @Test func `white space around a value is ignored, and a body of only white space is invalid`()
        throws
    {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        #expect(harness.input(session, "add", " \r\n\t2 \n").text.contains("\"count\":2"))
        #expect(harness.input(session, "add", " ").status == .badRequest)
    }

    @Test func `a missing body means null for any input`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        #expect(harness.input(session, "set").text == "{\"version\":1,\"changes\":{\"count\":null}}")
        #expect(harness.input(session, "add").status == .unprocessableContent)
    }

    @Test func `the last of two members with the same name wins`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let batch = "[{\"input\":\"increment\",\"input\":\"add\",\"value\":1,\"value\":5}]"
        #expect(harness.send(.post, session + "/inputs", body: batch).text.contains("\"count\":5"))
        let create = "{\"machine\":\"nobody\",\"machine\":\"scripted\"}"
        #expect(harness.send(.post, "/v1/sessions", body: create).status == .created)
    }

    @Test func `an empty batch is an empty turn`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        #expect(
            harness.send(.post, session + "/inputs", body: "[]").text == "{\"version\":0,\"changes\":{}}")
    }

    @Test func `a batch runs in order, as one turn`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        let batch = """
            [{"input":"set","value":4},{"input":"increment"},{"input":"complain","value":1},{"input":"add","value":2}]
            """
        let answer = harness.send(.post, session + "/inputs", body: batch)
        let change = "{\"count\":7,\"isEven\":false,\"$emitted\":[{\"output\":\"error\",\"value\":1}]}"
        #expect(answer.text == "{\"version\":1,\"changes\":\(change)}")
        follower.read()
        #expect(follower.events.map(\.event) == ["snapshot", "change"])
        #expect(follower.events[1].data == change)
    }

    @Test func `an escaped input name in a batch or path is decoded`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let batch = "[{\"inp\\u0075t\":\"incr\\u0065ment\"}]"
        #expect(harness.send(.post, session + "/inputs", body: batch).text.contains("\"count\":1"))
        #expect(harness.input(session, "incr%65ment").text.contains("\"count\":2"))
        #expect(harness.input(session, "incr%6ment").status == .notFound)
        #expect(harness.input(session, "incr%FFment").status == .notFound)
    }
}

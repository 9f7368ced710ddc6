import HTTPModel
import MachineAdapters
import MachineHost
import MachineTesting
import Testing

/// Observable classes in a host, from the request to the response.
struct ObservableHostingTests {
    private static let cases: [MachineCase] = {
        do {
            return [
                MachineCase(
                    try Shelf.definition(),
                    script: [
                        "increment", "double", "add \"one\"", "query \"x\"", "shout", "rename \"top\"", "hide",
                        "increment",
                    ]),
                MachineCase(try Dial.definition(), script: ["turn 3", "bend", "drop", "bend", "angle 7"]),
                MachineCase(
                    try Kettle.definition(), script: ["boil 0", "boil 1", .wait(.seconds(60)), "boil 0"]),
            ]
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    @Test(arguments: MachinePoint.allCases, cases)
    func `an observable machine fulfils the contract`(point: MachinePoint, machine: MachineCase) {
        #expect(machine.findings(point) == [])
    }

    @Test func `sessions continue after a restart as if there had been none`() throws {
        // Without "shout", which changes an object that several properties share: a restored machine has copies of it.
        let machine = MachineCase(
            try Shelf.definition(),
            script: ["increment", "double", "add \"one\"", "query \"x\"", "rename \"top\"", "clear", "rename \"x\""])
        #expect(machine.restartFindings() == [])
    }

    @Test func `changes of one turn are read once, at its end`() throws {
        let harness = try HostHarness([try Shelf.definition()])
        let session = harness.makeSession(of: "shelf")
        let answer = harness.send(.post, session + "/inputs/increment")
        #expect(answer.text == #"{"version":1,"changes":{"count":1,"summary":"1 of 0"}}"#)
        #expect(harness.send(.post, session + "/inputs/hide").text == #"{"version":1,"changes":{}}"#)
        let set = harness.send(.post, session + "/inputs/query", body: "\"a\"")
        #expect(set.text == #"{"version":2,"changes":{"query":"a"}}"#)
    }

    @Test func `nested objects are observed in arrays, dictionaries, optionals and alone`() throws {
        let harness = try HostHarness([try Shelf.definition()])
        let session = harness.makeSession(of: "shelf")
        let added = harness.send(.post, session + "/inputs/add", body: "\"a\"")
        #expect(
            added.text
                == #"{"version":1,"changes":{"summary":"0 of 1","rows":[{"text":"a"}],"named":{"a":{"text":"a"}},"newest":{"text":"a"}}}"#
        )
        let shouted = harness.send(.post, session + "/inputs/shout")
        #expect(
            shouted.text
                == #"{"version":2,"changes":{"rows":[{"text":"a!"}],"named":{"a":{"text":"a!"}},"newest":{"text":"a!"}}}"#
        )
        let renamed = harness.send(.post, session + "/inputs/rename", body: "\"top\"")
        #expect(renamed.text == #"{"version":3,"changes":{"label":{"text":"top"}}}"#)
        #expect(harness.send(.post, session + "/inputs/clear").text.contains(#""newest":null"#))
    }

    @Test func `an object with publishers reports its changes, those of nested objects, and events`() throws {
        let harness = try HostHarness([try Dial.definition()])
        let session = harness.makeSession(of: "dial")
        let turned = harness.send(.post, session + "/inputs/turn", body: "3")
        #expect(
            turned.text == #"{"version":1,"changes":{"angle":3,"$emitted":[{"output":"clicked","value":3}]}}"#)
        let bent = harness.send(.post, session + "/inputs/bend")
        #expect(bent.text == #"{"version":2,"changes":{"needles":[{"length":1},{"length":2}]}}"#)
        _ = harness.send(.post, session + "/inputs/drop")
        #expect(
            harness.send(.get, session).text.contains(#""needles":[{"length":2}]"#))
    }

    @Test func `an error becomes the response that the registration states`() throws {
        let harness = try HostHarness([try Shelf.definition()])
        let session = harness.makeSession(of: "shelf")
        let invalid = harness.send(.post, session + "/inputs/add", body: "\"\"")
        #expect(invalid.status == .unprocessableContent)
        #expect(invalid.text.contains("expected a text, got none"))
        for text in ["a", "b"] { _ = harness.send(.post, session + "/inputs/add", body: "\"\(text)\"") }
        let full = harness.send(.post, session + "/inputs/add", body: "\"c\"")
        #expect(full.status == .conflict)
        #expect(full.text.contains("input-refused") && full.text.contains("the shelf is full"))
        _ = harness.send(.post, session + "/inputs/clear")
        let batch = harness.send(
            .post, session + "/inputs", body: #"[{"input":"increment"},{"input":"add","value":""}]"#,
            fields: [.idempotencyKey: "\"k\""])
        #expect(batch.status == .unprocessableContent)
        #expect(batch.text.contains("\"ran\":1"))
        let again = harness.send(
            .post, session + "/inputs", body: #"[{"input":"increment"},{"input":"add","value":""}]"#,
            fields: [.idempotencyKey: "\"k\""])
        #expect(again.status == .unprocessableContent && again.text == batch.text)
    }

    @Test func `a method that throws needs a rule`() {
        #expect(throws: MachineRegistrationError.self) {
            try MachineDefinition.observable(
                "shelf", summary: "", outputs: [.value("count", \Shelf.count)], inputs: [.call("add", Shelf.add(_:))]
            ) { _ in Shelf() }
        }
    }

    @Test func `names are unique`() {
        #expect(throws: MachineRegistrationError.self) {
            try MachineDefinition.observable(
                "shelf", summary: "", outputs: [.value("count", \Shelf.count), .value("count", \.query)],
                inputs: [.set("query", \.query)]
            ) { _ in Shelf() }
        }
    }
}

import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// What the requests of different viewers get.
struct ViewTests {
    private let table: CardTable
    private let harness: HostHarness
    private let session: String
    private let ada: HTTPFields
    private let guest: HTTPFields

    init() throws {
        table = try CardTable()
        harness = try table.harness()
        ada = table.access.ada
        session = harness.makeSession(as: ada)
        guest = table.guest("table", of: session, harness)
    }

    private func get(_ path: String, as fields: HTTPFields) -> HarnessAnswer {
        harness.send(.get, path, fields: fields)
    }

    private func input(_ name: String, _ body: String, as fields: HTTPFields, key: String? = nil) -> HarnessAnswer {
        var fields = fields
        if let key, let value = HTTPFieldValue(key) { fields.append(.idempotencyKey, value) }
        return harness.send(.post, session + "/inputs/" + name, body: body, fields: fields)
    }

    @Test func `each viewer sees the outputs of its view`() {
        for (fields, outputs) in [
            (ada, #"{"open":0,"hand":0}"#), (guest, #"{"open":0}"#), (table.guest("wall", of: session, harness), "{}"),
        ] {
            #expect(get(session + "/outputs", as: fields).text == outputs)
            #expect(get(session, as: fields).text.contains(",\"outputs\":\(outputs),\"created\":"))
        }
    }

    @Test(arguments: ["", "unknown"])
    func `a viewer without a declared view sees nothing`(label: String) {
        let fields = table.guest(label, of: session, harness)
        #expect(get(session + "/outputs", as: fields).text == "{}")
        #expect(input("both", "1", as: fields).text == #"{"version":1,"changes":{}}"#)
    }

    @Test func `a rule may choose by a claim of the principal`() {
        let answer = harness.create(as: CardTable.user("eve table"))
        #expect(answer.text.contains(#""outputs":{"open":0},"#))
        #expect(harness.create(as: CardTable.user("eve dealer")).text.contains(#""outputs":{"open":0,"hand":0},"#))
        let path = answer.fields.value(.location) ?? ""
        #expect(get(path + "/outputs", as: CardTable.user("eve dealer")).text == #"{"open":0,"hand":0}"#)
    }

    @Test func `the response to an input contains the changes of the view`() {
        #expect(input("both", "1", as: guest).text == #"{"version":1,"changes":{"open":1}}"#)
        #expect(input("hand", "2", as: guest).text == #"{"version":2,"changes":{}}"#)
        #expect(input("hand", "3", as: ada).text == #"{"version":3,"changes":{"hand":3}}"#)
        let events = #""$emitted":[{"output":"shout","value":4}]"#
        #expect(input("talk", "4", as: guest).text == "{\"version\":4,\"changes\":{\(events)}}")
        #expect(input("whisper", "5", as: guest).text == #"{"version":5,"changes":{}}"#)
        let batch = #"[{"input":"hand","value":6},{"input":"open","value":6}]"#
        let answer = harness.send(.post, session + "/inputs", body: batch, fields: guest)
        #expect(answer.text == #"{"version":6,"changes":{"open":6}}"#)
        #expect(get(session + "/outputs", as: ada).text == #"{"open":6,"hand":6}"#)
    }

    @Test func `an output outside of the view is selected like one that does not exist`() {
        let hidden = get(session + "/outputs?only=hand", as: guest)
        let unknown = get(session + "/outputs?only=nothing", as: guest)
        #expect(hidden.status == .notFound)
        #expect(hidden.text == unknown.text)
        #expect(!hidden.text.contains("hand"))
        #expect(hidden.text.contains(#"\"open\", \"shout\""#))
        #expect(get(session + "/outputs?only=open,hand", as: guest).status == .notFound)
        #expect(get(session + "/outputs?only=open", as: guest).text == #"{"open":0}"#)
        #expect(get(session + "/outputs?only=hand", as: ada).text == #"{"hand":0}"#)
        let nothing = table.guest("wall", of: session, harness)
        #expect(
            get(session + "/outputs?only=open", as: nothing).text == get(session + "/outputs?only=x", as: nothing).text)
    }

    @Test func `the description of the machine contains the outputs of the view`() {
        for path in ["/v1/machines", "/v1/machines/scripted"] {
            func outputs(_ fields: HTTPFields) -> [String] {
                let text = get(path, as: fields).text
                let rest = text.firstRange(of: #""outputs":["#).map { text[$0.upperBound...] } ?? ""
                return rest.matches(of: /"name":"(\w+)"/).map { String($0.1) }
            }
            #expect(outputs(ada) == ["open", "hand", "shout", "whisper"])
            #expect(outputs([:]) == outputs(ada))
            #expect(outputs(guest) == ["open", "shout"])
            #expect(outputs(table.guest("wall", of: session, harness)) == [])
        }
    }

    @Test func `an entity tag belongs to a view`() {
        let (whole, part) = (get(session, as: ada), get(session, as: guest))
        let (all, tag) = (whole.fields.value(.eTag) ?? "", part.fields.value(.eTag) ?? "")
        #expect(all.hasSuffix(".0\"") && tag.hasSuffix(".0\"") && all != tag)
        #expect(get(session + "/outputs", as: guest).fields.value(.eTag) == tag)
        for (fields, condition, status) in [
            (guest, tag, HTTPStatus.notModified), (guest, all, .ok), (guest, "\"0\"", .ok),
            (ada, tag, .ok), (ada, all, .notModified), (ada, "\"0\"", .notModified),
        ] {
            var fields = fields
            fields.append(.ifNoneMatch, HTTPFieldValue(condition) ?? "")
            #expect(get(session, as: fields).status == status)
            #expect(get(session + "/outputs", as: fields).status == status)
        }
    }

    @Test func `an input may require a version with or without the view`() {
        let tag = get(session, as: guest).fields.value(.eTag) ?? ""
        let conditions = [
            (tag, HTTPStatus.ok), ("\"1\"", .ok), (tag, .preconditionFailed), ("\"2.1\"", .preconditionFailed),
        ]
        for (index, (condition, status)) in conditions.enumerated() {
            var fields = guest
            fields.append(.ifMatch, HTTPFieldValue(condition) ?? "")
            #expect(input("open", "\(index + 1)", as: fields).status == status)
        }
    }

    @Test func `a replayed response contains what the client may see now`() {
        let session = harness.makeSession(as: CardTable.user("eve dealer"))
        func send(_ role: String) -> HarnessAnswer {
            var fields = CardTable.user("eve \(role)")
            fields.append(.idempotencyKey, "k")
            return harness.send(.post, session + "/inputs/both", body: "1", fields: fields)
        }
        #expect(send("dealer").text == #"{"version":1,"changes":{"open":1,"hand":1}}"#)
        let repeated = send("table")
        #expect(repeated.fields.value(.idempotencyReplayed) == "true")
        #expect(repeated.text == #"{"version":1,"changes":{"open":1}}"#)
        #expect(send("wall").text == #"{"version":1,"changes":{}}"#)
        #expect(send("dealer").text == #"{"version":1,"changes":{"open":1,"hand":1}}"#)
    }

    @Test func `a replayed creation contains what the client may see now`() {
        let first = harness.create(as: CardTable.user("eve table"), key: "k")
        #expect(first.text.contains(#""outputs":{"open":0},"#))
        let repeated = harness.create(as: CardTable.user("eve wall"), key: "k")
        #expect(repeated.fields.value(.idempotencyReplayed) == "true")
        #expect(repeated.text.contains(#""outputs":{},"created""#))
        #expect(repeated.fields.value(.location) == first.fields.value(.location))
        #expect(repeated.fields.value(.eTag) != first.fields.value(.eTag))
        #expect(harness.create(as: CardTable.user("eve dealer"), key: "k").text.contains(#""hand":0"#))
    }

    @Test func `a session that is found by its name is shown as a view`() {
        let body = #"{"machine":"scripted","name":"main"}"#
        let first = harness.send(.post, "/v1/sessions", body: body, fields: CardTable.user("eve dealer"))
        #expect(first.status == .created && first.text.contains(#""hand":0"#))
        let second = harness.send(.post, "/v1/sessions", body: body, fields: CardTable.user("eve table"))
        #expect(second.status == .ok && second.text.contains(#""outputs":{"open":0},"#))
        #expect(second.fields.contains(.eTag) && second.fields[.eTag] != first.fields[.eTag])
    }

    @Test func `without an owner, everyone who knows the id owns the session`() throws {
        let session = harness.makeSession()
        #expect(get(session + "/outputs", as: [:]).text == #"{"open":0,"hand":0}"#)
        #expect(get(session + "/outputs", as: CardTable.user("eve table")).text == #"{"open":0}"#)
        let open = try HostHarness([CardTable.machine])
        #expect(open.send(.get, open.makeSession() + "/outputs").text == #"{"open":0,"hand":0}"#)
    }

    @Test func `a limited view does not tell what the machine is doing`() throws {
        let host = try StoredHost(of: CardTable.machine, hibernates: true, access: table.access.access) {
            $0.hibernateAfter = .seconds(10)
        }
        let path =
            host.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: CardTable.user("eve dealer"))
            .response?.fields.value(.location) ?? ""
        #expect(host.harness.send(.get, path, fields: CardTable.user("eve dealer")).text.contains("\"awake\""))
        #expect(!host.harness.send(.get, path, fields: CardTable.user("eve table")).text.contains("\"awake\""))
    }
}

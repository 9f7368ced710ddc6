import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// Sessions that are created with parameters.
struct ParameterTests {
    private func host() throws -> HostHarness { try HostHarness([cart(), counter()]) }

    private func create(_ host: HostHarness, _ body: String) -> HarnessAnswer {
        host.send(.post, "/v1/sessions", body: body)
    }

    @Test func `the factory receives the parameters of its session`() throws {
        let host = try host()
        let french = create(host, #"{"machine":"cart","parameters":{"country":"FR","size":3}}"#)
        let german = create(host, #"{"machine":"cart","parameters":{"country":"DE"}}"#)
        #expect(french.status == .created)
        #expect(french.text.contains(#""outputs":{"country":"FR","size":3}"#))
        #expect(german.text.contains(#""outputs":{"country":"DE","size":1}"#))
    }

    @Test(arguments: [
        (#"{"machine":"cart","parameters":{"country":"F","siez":3}}"#, "/parameters/siez", #"did you mean \"size\"?"#),
        (#"{"machine":"cart","parameters":{"size":3}}"#, "/parameters/country", "expected a string, got nothing"),
        (#"{"machine":"cart","parameters":[]}"#, "/parameters", "expected an object, got an array"),
        (#"{"machine":"cart"}"#, "/parameters/country", "expected a string, got nothing"),
        (#"{"machine":"cart","parameters":null}"#, "/parameters/country", "expected a string, got nothing"),
        (#"{"machine":"cart","parameter":{}}"#, "/parameter", "did you mean \\\"parameters\\\"?"),
        (#"{"machine":"scripted","parameters":{}}"#, "/parameters", "the machine takes no parameters, got an object"),
    ])
    func `parameters that do not fit create no session`(body: String, pointer: String, detail: String) throws {
        let host = try host()
        let answer = create(host, body)
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains(#""pointer":"\#(pointer)""#))
        #expect(answer.text.contains(detail))
        #expect(host.host.sessionCount == 0)
    }

    @Test func `a machine without parameters accepts null`() throws {
        #expect(create(try host(), #"{"machine":"scripted","parameters":null}"#).status == .created)
    }

    @Test func `clients see the schema of the parameters`() throws {
        let host = try host()
        let schema =
            #""parameters":{"type":"object","properties":{"country":{"type":"string"},"size":{"type":"integer"}},"#
            + #""required":["country"],"additionalProperties":false}"#
        #expect(host.send(.get, "/v1/machines/cart").text.contains(schema))
        #expect(host.send(.get, "/v1/machines").text.contains(schema))
        #expect(!host.send(.get, "/v1/machines/scripted").text.contains("parameters"))
    }

    @Test func `a key with other parameters is refused`() throws {
        let host = try host()
        let fields: HTTPFields = [.idempotencyKey: "0b54b8a8-f3a1-4f2c-9f6e"]
        let body = #"{"machine":"cart","parameters":{"country":"FR"}}"#
        let first = host.send(.post, "/v1/sessions", body: body, fields: fields)
        #expect(first.status == .created)
        #expect(host.send(.post, "/v1/sessions", body: body, fields: fields).text == first.text)
        let other = host.send(
            .post, "/v1/sessions", body: #"{"machine":"cart","parameters":{"country":"DE"}}"#, fields: fields)
        #expect(other.status == .unprocessableContent)
        #expect(other.text.contains("idempotency-mismatch"))
    }

    @Test func `a machine that reads another type fails with an incident`() throws {
        var wrong = cart("wrong")
        wrong.parameters = ParametersDefinition(schema: .any) { _ in 7 }
        let host = try HostHarness([wrong])
        let answer = create(host, #"{"machine":"wrong","parameters":{}}"#)
        #expect(answer.status == .internalServerError)
        #expect(host.host.sessionCount == 0)
    }

    @Test func `parameters survive the process, also for a later machine of the same session`() throws {
        let host = try RestartableHost([stored(cart())])
        let created = host.send(.post, "/v1/sessions", body: #"{"machine":"cart","parameters":{"country":"FR"}}"#)
        let session = try #require(created.fields.value(.location))
        for _ in 0..<2 {
            try host.restart()
            #expect(host.send(.post, session + "/inputs/grow").status == .ok)
        }
        #expect(host.send(.get, session).text.contains(#""outputs":{"country":"FR","size":3}"#))
    }

    @Test func `a session stays stored if its parameters no longer fit the machine`() throws {
        let disk = TestDisk()
        let host = try StoredHost(on: disk, of: cart("scripted"))
        let session = host.send(
            .post, "/v1/sessions", body: #"{"machine":"scripted","parameters":{"country":"FR"}}"#
        ).response?.fields.value(.location)
        var changed = cart("scripted")
        changed.parameters = ParametersDefinition(schema: .any) { json throws(InputMismatch) in
            throw InputMismatch(
                pointer: "/country", detail: "expected a number, got \(String(decoding: json, as: UTF8.self))")
        }
        let next = try StoredHost(on: disk, after: 1, of: changed)
        #expect(next.send(.get, try #require(session)).status == 503)
        let last = try StoredHost(on: disk, after: 2, of: cart("scripted"))
        #expect(last.send(.get, try #require(session)).text.contains(#""country":"FR""#))
    }

    @Test func `a twin whose process ends again and again has the same parameters`() throws {
        try assertResumable(stored(cart()), parameters: #"{"country":"FR"}"#, seeds: 1...3, steps: 20)
        try assertResumable(stored(cart()), seeds: 1...3, steps: 20)
    }

    @Test func `a stored session has its parameters in its encoding`() throws {
        var session = StoredSession(machine: "cart", epoch: Epoch(bits: 1), created: 2, lastInput: 3, version: 0)
        session.parameters = Array(#"{"country":"FR"}"#.utf8)[...]
        session.named = StoredSession.Named(
            name: SessionName(owner: SessionOwner(high: 1, low: .max), text: "main"), id: SessionID(high: 5, low: 6))
        #expect(try StoredSession(session.content[...]) == session)
        session.named = nil
        #expect(try StoredSession(session.content[...]) == session)
    }

    /// Returns a machine whose sessions are stored.
    private func stored(_ machine: MachineDefinition) -> MachineDefinition {
        var machine = machine
        machine.captureObstacles = []
        return machine
    }
}

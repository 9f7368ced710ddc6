import Access
import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// Sessions that are found or created by their names.
struct NamedSessionTests {
    private func host(_ configure: (inout HostConfiguration) -> Void = { _ in }) throws -> HostHarness {
        var configuration = HostConfiguration()
        configure(&configuration)
        return try HostHarness([counter(), cart()], configuration: configuration)
    }

    private func open(
        _ host: HostHarness, as requester: Requester = .apiKey("alice"),
        _ body: String = #"{"machine":"scripted","name":"main"}"#, fields: HTTPFields = HTTPFields()
    ) -> HarnessAnswer {
        host.requester = requester
        return host.send(.post, "/v1/sessions", body: body, fields: fields)
    }

    @Test func `the first request creates the session, and later ones find it`() throws {
        let host = try host()
        let first = open(host)
        #expect(first.status == .created)
        #expect(first.text.contains(#""machine":"scripted","name":"main","version":0"#))
        let session = try #require(first.fields.value(.location))
        host.input(session, "increment")
        let again = open(host)
        #expect(again.status == .ok)
        #expect(again.fields.value(.location) == session)
        #expect(again.fields.value(.eTag) == host.send(.get, session).fields.value(.eTag))
        #expect(again.text == host.send(.get, session).text)
        #expect(host.host.sessionCount == 1)
    }

    @Test func `another principal, machine or name has another session`() throws {
        let host = try host()
        let answers = [
            open(host), open(host, as: .apiKey("bob")), open(host, #"{"machine":"scripted","name":"Main"}"#),
            open(host, #"{"machine":"cart","name":"main","parameters":{"country":"FR"}}"#),
        ]
        #expect(answers.map(\.status) == [.created, .created, .created, .created])
        #expect(Set(answers.map { $0.fields.value(.location) }).count == 4)
    }

    @Test func `a name without a principal is forbidden`() throws {
        let host = try host()
        let answer = open(host, as: .anonymous)
        #expect(answer.status == .forbidden)
        #expect(answer.text.contains("the request has none"))
        #expect(host.host.sessionCount == 0)
    }

    @Test(arguments: [
        "", "a b", "ä", "a/b", "a\\u0000", String(repeating: "a", count: 65),
    ])
    func `an invalid name is refused`(name: String) throws {
        let host = try host()
        let answer = open(host, #"{"machine":"scripted","name":"\#(name)"}"#)
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains(#""pointer":"/name""#))
        #expect(open(host, #"{"machine":"scripted","name":7}"#).status == .unprocessableContent)
        #expect(host.host.sessionCount == 0)
    }

    @Test(arguments: ["a", "Main.1_2~3-4", String(repeating: "z", count: 64)])
    func `a valid name is accepted`(name: String) throws {
        #expect(open(try host(), #"{"machine":"scripted","name":"\#(name)"}"#).status == .created)
    }

    @Test func `null is no name`() throws {
        let host = try host()
        let body = #"{"machine":"scripted","name":null}"#
        #expect(open(host, as: .anonymous, body).status == .created)
        #expect(open(host, as: .anonymous, body).status == .created)
        #expect(host.host.sessionCount == 2)
    }

    @Test func `a rule decides who may create a session by its name, and who may find it`() throws {
        let host = try HostHarness([
            counter().restricted { principal, operation in
                switch operation {
                case .create: principal?.id == "bob" ? .deny("not bob") : .allow
                case .read: principal?.id == "carol" ? .deny("not carol") : .allow
                default: .allow
                }
            }
        ])
        #expect(open(host, as: .apiKey("alice")).status == .created)
        #expect(open(host, as: .apiKey("alice")).status == .ok)
        #expect(open(host, as: .apiKey("bob")).status == .forbidden)
        #expect(open(host, as: .apiKey("carol")).status == .created)
        #expect(open(host, as: .apiKey("carol")).status == .forbidden)
        #expect(host.host.sessionCount == 2)
    }

    @Test func `the same parameters find the session, and others are a conflict`() throws {
        let host = try host()
        func open(_ parameters: String) -> HarnessAnswer {
            self.open(host, #"{"machine":"cart","name":"main","parameters":\#(parameters)}"#)
        }
        #expect(open(#"{"country":"FR","size":2}"#).status == .created)
        #expect(open(#"{ "size" : 2, "country":"\u0046R" }"#).status == .ok)
        let other = open(#"{"country":"DE","size":2}"#)
        #expect(other.status == .conflict)
        #expect(other.text.contains("name-in-use"))
        #expect(open(#"{"country":"FR"}"#).status == .conflict)
        #expect(host.host.sessionCount == 1)
    }

    @Test func `a name is free as soon as its session has ended`() throws {
        let host = try host { $0.idleExpiry = .seconds(60) }
        let first = try #require(open(host).fields.value(.location))
        #expect(host.send(.delete, first).status == .noContent)
        let second = open(host)
        #expect(second.status == .created)
        let session = try #require(second.fields.value(.location))
        #expect(session != first)
        host.input(session, "break")
        #expect(open(host).status == .created)
        host.loop.advance(by: .seconds(120))
        #expect(open(host).status == .created)
        #expect(host.host.sessionCount == 1)
    }

    @Test func `a factory that fails leaves the name free`() throws {
        var wrong = cart("wrong")
        wrong.parameters = nil
        let host = try HostHarness([wrong])
        for _ in 0..<2 {
            let answer = open(host, #"{"machine":"wrong","name":"main"}"#)
            #expect(answer.status == .internalServerError)
        }
        #expect(host.shard.sessions.isEmpty)
    }

    @Test func `an idempotency key of a request with a name changes nothing`() throws {
        let host = try host()
        let fields: HTTPFields = [.idempotencyKey: "0b54b8a8-f3a1-4f2c-9f6e"]
        #expect(open(host, fields: fields).status == .created)
        let again = open(host, fields: fields)
        #expect(again.status == .ok)
        #expect(!again.fields.contains(.idempotencyReplayed))
    }

    @Test func `the bits of a name's id that are not its loop are random`() throws {
        let digest = RequestDigest(low: 1, high: 0x1234_5678_9ABC_DEF0)
        let ids = (0..<100).map { _ in SessionID.random(named: digest) }
        #expect(ids.allSatisfy { $0.high >> 32 == 0x1234_5678 })
        #expect(Set(ids.map(\.low)).count == 100)
        #expect(Set(ids.map { $0.high & 0xFFFF_FFFF }).count > 90)
    }

    @Test(arguments: [2, 3, 8])
    func `requests for a name on all loops get the same session`(count: Int) throws {
        let host = try SessionHost([counter()])
        let loops = (0..<count).map { VirtualEventLoop(index: $0, count: count) }
        let shards = loops.map { host.makeShard(on: $0) }
        for name in 0..<20 {
            let answers = shards.map { shard in
                send(shard, #"{"machine":"scripted","name":"n\#(name)"}"#)
            }
            // In several rounds, because a request goes to another loop and its response back.
            for _ in 0..<3 { for loop in loops { loop.run() } }
            let statuses = answers.map { $0.status }
            #expect(statuses.count { $0 == 201 } == 1)
            #expect(statuses.count { $0 == 200 } == count - 1)
            let sessions = Set(answers.map { $0.response?.fields.value(.location) })
            #expect(sessions.count == 1)
            let path = try #require(sessions.first ?? nil)
            let index = try #require(Route.loop(ofSessionIn: path, of: count))
            let request = HTTPRequest(method: .get, target: path)
            guard case .response(let shown) = shards[index].respond(to: request, from: .apiKey("alice")) else {
                throw ScriptedMachine.Failure("expected an immediate response")
            }
            #expect(shown.status == .ok)
        }
        #expect(host.sessionCount == 20)
        #expect(shards.allSatisfy { $0.pending.count == 0 })
        #expect(shards.filter { !$0.sessions.isEmpty }.count > 1)
    }

    @Test func `a request for a loop that no longer exists is refused`() throws {
        let host = try SessionHost([counter()])
        let loops = (0..<2).map { VirtualEventLoop(index: $0, count: 2) }
        let shard = host.makeShard(on: loops[0])
        let answers = (0..<10).map { send(shard, #"{"machine":"scripted","name":"n\#($0)"}"#) }
        loops[0].run()
        #expect(Set(answers.map(\.status)) == [201, 503])
    }

    private func send(_ shard: SessionShard, _ body: String) -> PendingAnswer {
        let pending = PendingAnswer()
        let request = HTTPRequest(
            method: .post, target: "/v1/sessions", fields: [.contentType: "application/json"], body: Array(body.utf8))
        switch shard.respond(to: request, from: .apiKey("alice")) {
        case .response(let response): pending.response = response
        case .deferred(let promise): promise.whenFulfilled { pending.response = $0 }
        }
        return pending
    }
}

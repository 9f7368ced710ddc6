import Access
import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// Sessions of others in every state, which are like sessions that do not exist.
struct HiddenSessionTests {
    /// The states of a session.
    enum State: String, CaseIterable {
        case live, stored, sleeping, ended, endedBefore, damaged, newer, sealed, unhosted
    }

    private let access: TestAccess
    private let secret: SecretKeys?
    static let none = "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA"

    init() throws {
        access = try TestAccess()
        secret = SecretKeys([try .repeating(1)])
    }

    private func host(
        on disk: TestDisk = TestDisk(), of definition: MachineDefinition = .witness, version: Int = 1,
        hibernates: Bool = false, _ keys: SecretKeys? = nil
    ) throws -> StoredHost {
        try StoredHost(
            on: disk, of: definition, version: version, hibernates: hibernates, access: access.access
        ) {
            $0.hibernateAfter = hibernates ? .seconds(10) : nil
            $0.secretKeys = keys
        }
    }

    /// Returns a host with a session of Ada in a state.
    private func host(with state: State) throws -> (host: StoredHost, session: String) {
        let secretive = try MachineDefinition.witness.secret("secret")
        let first = try host(
            of: state == .sealed ? secretive : .witness, version: state == .newer ? 2 : 1,
            hibernates: state == .sleeping, state == .sealed ? secret : nil)
        let created = first.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: access.ada)
        let session = try #require(created.response?.fields.value(.location))
        switch state {
        case .live: return (first, session)
        case .sleeping:
            first.advance(by: 30)
            return (first, session)
        case .ended, .endedBefore: #expect(first.send(.delete, session, fields: access.ada).status == 204)
        case .damaged:
            first.disk.content.withLock { content in
                guard
                    var snapshot = content.sessions(after: nil, limit: 1).first.flatMap({ content.load($0.id) })?
                        .snapshot
                else { return }
                snapshot.content = [1, 2, 3]
                var batch = JournalBatch()
                batch.add(.store(snapshot))
                content.apply(batch)
            }
        case .stored, .newer, .sealed, .unhosted: break
        }
        if state == .ended { return (first, session) }
        let other = ScriptedMachine.definition("other", outputs: [], made: { ScriptedState.capture($0) })
        return (try host(on: first.disk, of: state == .unhosted ? other : .witness), session)
    }

    private func summary(_ answer: PendingAnswer) -> String {
        "\(answer.status ?? 0) \(answer.response.map { "\($0.fields)" } ?? "") \(answer.text)"
    }

    @Test(arguments: State.allCases)
    func `a stranger gets the same as for a session that does not exist, and none of it is read`(state: State) throws {
        let (host, session) = try host(with: state)
        let loads = host.disk.loads.withLock { $0 }
        for (method, path) in [
            (HTTPMethod.get, ""), (.head, ""), (.delete, ""), (.get, "/outputs"), (.post, "/inputs/speak"),
            (.post, "/inputs"), (.post, "/tickets"), (.delete, "/tickets"), (.put, ""), (.options, ""),
        ] {
            for fields in [access.bob, [:]] {
                // Twice, because the first request may leave something in memory.
                for _ in 0..<2 {
                    let answer = host.start(method, session + path, fields: fields)
                    let missing = host.start(method, Self.none + path, fields: fields)
                    #expect((answer.response == nil) == (missing.response == nil))
                    // With as many tasks of the journal.
                    host.step()
                    #expect(answer.status == 404 && missing.status == 404, "\(method) \(path)")
                    #expect(summary(answer) == summary(missing))
                }
            }
        }
        #expect(host.disk.loads.withLock { $0 } == loads)
        #expect(host.harness.shard.pending.count == 0 && host.harness.shard.loading.isEmpty)
    }

    @Test(arguments: State.allCases)
    func `its owner gets what there is`(state: State) throws {
        let (host, session) = try host(with: state)
        let expected: Int =
            switch state {
            case .live, .stored, .sleeping: 200
            case .ended, .endedBefore: 410
            case .damaged, .newer, .sealed, .unhosted: 503
            }
        #expect(host.send(.get, session, fields: access.bob).status == 404)
        let own = host.send(.get, session, fields: access.ada)
        #expect(own.status == expected, "\(own.text)")
        #expect(host.send(.get, session, fields: access.bob).status == 404)
        #expect(host.send(.get, session).status == 404)
    }

    @Test(arguments: State.allCases)
    func `the ticket of another session is not accepted, whether or not the session exists`(state: State) throws {
        let (host, session) = try host(with: state)
        let other = try self.host()
        let created = other.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: access.ada)
        let path = try #require(created.response?.fields.value(.location)) + "/tickets"
        let text = other.send(.post, path, body: #"{"allows":["read"]}"#, fields: access.ada).text
        let ticket = TestAccess.fields("Ticket \(text.split(separator: "\"").dropFirst(3).first ?? "")")
        let loads = host.disk.loads.withLock { $0 }
        let (answer, missing) = (host.start(.get, session, fields: ticket), host.start(.get, Self.none, fields: ticket))
        #expect(answer.status == 404 && summary(answer) == summary(missing))
        #expect(host.disk.loads.withLock { $0 } == loads)
    }

    @Test(arguments: State.allCases)
    func `in a stream of several sessions, that of another principal is unknown`(state: State) throws {
        let (host, session) = try host(with: state)
        func text(_ path: String) throws -> String {
            let opened = host.send(.get, "/v1/outputs?session=\(path.suffix(22))", fields: access.bob)
            guard case .stream(let content)? = opened.response?.body else { return "\(opened.status ?? 0)" }
            let follower = StreamFollower(content)
            follower.read()
            host.store()
            follower.read()
            // Positions begin with a part of the id.
            let id = path.suffix(22)
            return follower.text.replacing(id, with: "ID").replacing(id.prefix(6), with: "ID")
        }
        let (hidden, missing) = (try text(session), try text(Self.none))
        #expect(hidden == missing && hidden.contains(#"{"reason":"unknown"}"#), "\(hidden)")
    }

    @Test func `the fields of a rate say nothing about the session`() throws {
        var limited = access
        limited.access.rates.inputs = RateLimit("inputs", quota: 100, window: .seconds(60))
        let harness = try limited.harness()
        let session = harness.makeSession(as: access.ada)
        let peer = HTTPPeer(address: "192.0.2.1", port: 1)
        var left = 100
        for body in ["[]", #"[{"input":"speak"},{"input":"speak"}]"#, "{"] {
            for path in [session, Self.none] {
                let answer = harness.send(.post, path + "/inputs", body: body, fields: access.bob, from: peer)
                left -= 1
                #expect(answer.status == .notFound)
                #expect(answer.fields.value(.rateLimit)?.hasPrefix("\"inputs\";r=\(left);") == true)
            }
        }
    }

    @Test func `an operator ends an unreadable session for its owner`() throws {
        let (host, session) = try host(with: .damaged)
        let summary = try #require(host.disk.entries.first?.snapshot?.summary)
        host.writer.end(summary) { #expect($0) }
        host.store()
        #expect(host.send(.get, session, fields: access.bob).status == 404)
        #expect(host.send(.get, session, fields: access.ada).status == 410)
    }

    @Test func `a session that an older build has stored gets its owner with its next snapshot`() throws {
        let first = try host()
        let created = first.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: access.ada)
        let session = try #require(created.response?.fields.value(.location))
        first.disk.content.withLock { content in
            guard var snapshot = content.sessions(after: nil, limit: 1).first.flatMap({ content.load($0.id) })?.snapshot
            else { return }
            snapshot.summary.owner = nil
            var batch = JournalBatch()
            batch.add(.store(snapshot))
            content.apply(batch)
        }
        let next = try host(on: first.disk)
        #expect(next.send(.get, session, fields: access.bob).status == 404)
        #expect(next.send(.post, session + "/inputs/speak", fields: access.bob).status == 404)
        #expect(next.send(.post, session + "/inputs/speak", fields: access.ada).status == 200)
        let id = try #require(next.disk.entries.first?.snapshot?.summary.id)
        next.writer.withJournal { [writer = next.writer] journal in
            guard let journal else { return }
            try? writer.renewSnapshot(of: id, in: journal)
        }
        next.store()
        #expect(next.disk.entries.first?.snapshot?.summary.owner != nil)
    }
}

import HTTPModel
import MachineTesting
import StateCapture
import Testing

@testable import MachineHost

/// What the host counts for the memory of stored sessions, and what follows from it.
struct StoredMemoryTests {
    /// A state that no output shows.
    private final class HiddenState: StatefulPart {
        static var partName: StaticString { "hidden" }
        var text: String

        init(_ text: String) { self.text = text }

        var partState: String? { text }

        func restore(_ state: String?) { text = state ?? "" }
    }

    /// A machine with 30 outputs, one of which an input sets. Another input sets the hidden state.
    private static func definition(initially text: String = "") -> MachineDefinition {
        ScriptedMachine.definition(
            outputs: (0..<30).map { "output\($0)" },
            inputs: [
                "show": { machine, json in machine.set("output0", to: json) },
                "hide": { machine, json in (machine.attachment as? HiddenState)?.text = json },
            ],
            made: { machine in
                let state = HiddenState(text)
                StateRegistry.current?.register(state)
                machine.attachment = state
            })
    }

    private static func json(_ length: Int) -> String { "\"\(String(repeating: "x", count: length))\"" }

    /// Makes the server as full as a part of its limit.
    private func fill(_ host: StoredHost, to count: Int) {
        host.harness.host.retain(count - host.harness.host.retainedByteCount)
    }

    // Each is a size of the allocator's blocks, without the eight bytes that it adds.
    @Test func `the objects of a session keep within their blocks`() throws {
        let host = try StoredHost(of: Self.definition())
        let session = try #require(host.harness.session(at: host.makeSession()))
        let storage = try #require(session.storage)
        #expect(MemoryInUse.instanceSize(of: session) <= 296)
        #expect(MemoryInUse.instanceSize(of: session.context) <= 104)
        #expect(MemoryInUse.instanceSize(of: session.context.scheduler) <= 120)
        #expect(MemoryInUse.instanceSize(of: storage) <= 88)
        #expect(MemoryInUse.instanceSize(of: storage.registry) <= 168)
        #expect(MemoryInUse.instanceSize(of: try #require(session.board)) <= 88)
    }

    @Test func `a hidden state counts from the turn that has set it, until a turn has cleared it`() throws {
        let host = try StoredHost(of: Self.definition())
        let session = host.makeSession()
        let empty = host.harness.host.retainedByteCount
        #expect(host.send(.post, session + "/inputs/hide", body: Self.json(100_000)).status == 200)
        #expect(host.harness.host.retainedByteCount >= empty + 100_000)
        #expect(host.send(.post, session + "/inputs/hide", body: "0").status == 200)
        #expect(host.harness.host.retainedByteCount < empty + 8000)
    }

    @Test func `the hidden state of a new session counts`() throws {
        let host = try StoredHost(of: Self.definition(initially: Self.json(100_000)))
        _ = host.makeSession()
        #expect(host.harness.host.retainedByteCount >= 100_000)
    }

    @Test func `the limit of a session does not count its objects or hidden state`() throws {
        let host = try StoredHost(of: Self.definition()) { $0.maxSessionBytes = 8 << 10 }
        let session = host.makeSession()
        for body in [Self.json(100_000), "1", "2"] {
            #expect(host.send(.post, session + "/inputs/hide", body: body).status == 200)
        }
    }

    @Test func `a small session of a full server takes inputs although its objects are large`() throws {
        let limit = 1 << 20
        let host = try StoredHost(of: Self.definition()) { $0.maxBytes = limit }
        let session = host.makeSession()
        #expect(host.harness.host.retainedByteCount > 16 << 10)
        fill(host, to: limit + limit / 8)
        #expect(host.send(.post, session + "/inputs/show", body: "1").status == 200)
        #expect(host.send(.post, session + "/inputs/show", body: Self.json(20_000)).status == 503)
    }

    @Test func `a session is not restored while the server is far above its limit`() throws {
        let limit = 1 << 20
        let host = try StoredHost.hibernating { $0.maxBytes = limit }
        let session = host.makeSession()
        host.advance(by: 63)
        #expect(host.awakeCount == 0)
        fill(host, to: 2 * limit)
        let answer = host.send(.post, session + "/inputs/increment")
        #expect(answer.status == 503)
        #expect(answer.response?.fields.contains(.retryAfter) == true)
        #expect(host.awakeCount == 0)
        fill(host, to: limit)
        #expect(host.send(.post, session + "/inputs/increment").status == 200)
    }

    @Test func `the sessions unused for the longest time sleep first`() throws {
        let limit = 4 << 20
        let host = try StoredHost.hibernating {
            $0.maxBytes = limit
            $0.maxNewSessionsPerClient = nil
        }
        var sessions: [String] = []
        for _ in 0..<6 {
            for _ in 0..<50 { sessions.append(host.makeSession()) }
            host.advance(by: 1)
        }
        #expect(host.awakeCount == 300)
        fill(host, to: limit)
        host.advance(by: 3)
        let asleep = sessions.map { host.send(.get, $0).text.contains(#""dormant":true"#) }
        let count = asleep.count(where: { $0 })
        // More than one round of them, and not all. Those of one second have any order.
        #expect((64..<250).contains(count))
        let oldest = count / 50 * 50
        #expect(asleep.prefix(oldest).allSatisfy { $0 })
        #expect(!asleep.dropFirst(oldest + 50).contains(true))
    }

    @Test func `sessions whose inputs wait for the disk do not sleep early`() throws {
        let limit = 1 << 20
        let host = try StoredHost.hibernating { $0.maxBytes = limit }
        _ = host.makeSession()
        fill(host, to: limit)
        host.harness.shard.journal?.pause.begin(.backlog)
        host.harness.loop.advance(by: .seconds(5))
        host.harness.shard.journal?.pause.end(.backlog)
        #expect(host.awakeCount == 1)
        host.advance(by: 5)
        #expect(host.awakeCount == 0)
    }

    @Test func `a session with a timer that is due in some seconds stays, however short memory is`() throws {
        let limit = 1 << 20
        let host = try StoredHost.hibernating(of: .timing { [$0.timer("often", every: .seconds(20))] }) {
            $0.maxBytes = limit
        }
        _ = host.makeSession()
        fill(host, to: limit)
        for _ in 0..<60 {
            host.advance(by: 1)
            #expect(host.awakeCount == 1)
        }
    }
}

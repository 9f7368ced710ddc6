import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// One host on several event loops.
struct SessionShardTests {
    private let create = HTTPRequest(
        method: .post, target: "/v1/sessions", fields: [.contentType: "application/json"],
        body: Array("{\"machine\":\"scripted\"}".utf8))

    private func shards(_ count: Int, _ configuration: HostConfiguration = .init()) throws -> (
        SessionHost, [SessionShard]
    ) {
        let host = try SessionHost([counter()], configuration: configuration)
        return (host, (0..<count).map { host.makeShard(on: VirtualEventLoop(index: $0, count: count)) })
    }

    private func response(_ shard: SessionShard, _ request: HTTPRequest) throws -> HTTPResponse {
        guard case .response(let response) = shard.respond(to: request) else {
            throw ScriptedMachine.Failure("expected an immediate response")
        }
        return response
    }

    @Test(arguments: [2, 3, 16])
    func `every request for a session belongs to the loop that created it`(count: Int) throws {
        let (_, shards) = try shards(count)
        for (index, shard) in shards.enumerated() {
            for _ in 0..<20 {
                let path = try #require(try response(shard, create).fields.value(.location))
                for target in [path, path + "/inputs", path + "/inputs/add", path + "/outputs?only=count"] {
                    let request = HTTPRequest(method: .get, target: target)
                    let places = shards.map { $0.placement(of: request) }
                    #expect(Set(places) == [index])
                }
                #expect(try response(shard, HTTPRequest(method: .get, target: path)).status == .ok)
            }
        }
    }

    @Test func `new sessions are distributed round-robin, and other requests can be answered on any loop`() throws {
        let (_, shards) = try shards(4)
        let places = (0..<8).map { _ in shards[1].placement(of: create) }
        #expect(Set(places.prefix(4)) == [0, 1, 2, 3])
        #expect(places.prefix(4) == places.suffix(4))
        for target in ["/v1/machines", "/health/live", "/v1/sessions/short", "/nothing"] {
            #expect(shards[1].placement(of: HTTPRequest(method: .get, target: target)) == nil)
        }
        #expect(try self.shards(1).1[0].placement(of: create) == nil)
    }

    @Test func `limits apply across all loops`() throws {
        var configuration = HostConfiguration()
        configuration.maxSessions = 3
        let (host, shards) = try shards(2, configuration)
        let statuses = try [0, 1, 0, 1, 0].map { try response(shards[$0], create).status }
        #expect(statuses == [.created, .created, .created, .serviceUnavailable, .serviceUnavailable])
        #expect(host.sessionCount == 3)
    }

    @Test func `a session exists only on its own loop`() throws {
        let (_, shards) = try shards(2)
        let path = try #require(try response(shards[0], create).fields.value(.location))
        #expect(try response(shards[1], HTTPRequest(method: .get, target: path)).status == .notFound)
    }
}

import HTTPModel
import HTTPServerTesting
import Testing

@testable import HTTPServer

@Suite struct ClientLimiterTests {
    private typealias Client = ClientTable.Client
    private let second: UInt64 = 1_000_000_000

    private func enters(_ table: inout ClientTable, _ address: String, _ now: UInt64 = 0) -> Bool {
        table.enter(Client(address), now: now)
    }

    @Test func `the limit of connections applies to each client separately`() {
        var table = ClientTable(connections: 2, newPerSecond: nil)
        #expect(enters(&table, "192.0.2.1"))
        #expect(enters(&table, "192.0.2.1"))
        #expect(!enters(&table, "192.0.2.1"))
        #expect(enters(&table, "192.0.2.2"))
        table.leave(Client("192.0.2.1"))
        #expect(enters(&table, "192.0.2.1"))
        #expect(!enters(&table, "192.0.2.1"))
    }

    @Test func `an IPv6 network of 64 bits is one client, and each IPv4 address is a client`() {
        var table = ClientTable(connections: 1, newPerSecond: nil)
        #expect(enters(&table, "2001:db8:0:1::1"))
        #expect(!enters(&table, "2001:db8:0:1:ffff::2"))
        #expect(enters(&table, "2001:db8:0:2::1"))
        #expect(enters(&table, "192.0.2.1"))
        #expect(!enters(&table, "::ffff:192.0.2.1"))
        #expect(enters(&table, "unix"))
        #expect(!enters(&table, "unix"))
    }

    @Test func `a client can make connections in a burst, and then at a constant rate`() {
        var table = ClientTable(connections: nil, newPerSecond: 4)
        for _ in 0..<4 { #expect(enters(&table, "192.0.2.1", 10 * second)) }
        #expect(!enters(&table, "192.0.2.1", 10 * second))
        #expect(!enters(&table, "192.0.2.1", 10 * second + second / 4 - 1))
        // Rejected attempts do not count.
        #expect(enters(&table, "192.0.2.1", 10 * second + second / 4))
        #expect(!enters(&table, "192.0.2.1", 10 * second + second / 4))
        for _ in 0..<4 { #expect(enters(&table, "192.0.2.1", 20 * second)) }
        #expect(!enters(&table, "192.0.2.1", 20 * second))
    }

    @Test func `disconnected clients are forgotten`() {
        var counted = ClientTable(connections: 1, newPerSecond: nil)
        #expect(enters(&counted, "192.0.2.1"))
        counted.leave(Client("192.0.2.1"))
        #expect(counted.count == 0)

        var paced = ClientTable(connections: nil, newPerSecond: 1)
        for number in 0..<30_000 {
            let address = "10.\(number >> 16).\(number >> 8 & 255).\(number & 255)"
            // Ten thousand new clients per second, each with one connection.
            #expect(enters(&paced, address, UInt64(number) * second / 10_000))
            paced.leave(Client(address))
        }
        #expect(paced.count < 25_000)
    }

    @Test func `a lease counts until it is released`() throws {
        let clientLimiter = ClientLimiter(connections: 1, newPerSecond: nil)
        var clientLease = clientLimiter.admit("192.0.2.1", now: 0)
        #expect(clientLease != nil)
        #expect(clientLimiter.admit("192.0.2.1", now: 0) == nil)
        clientLease = nil
        #expect(clientLimiter.admit("192.0.2.1", now: 0) != nil)
    }

    @Test func `a connection over the limit gets 429, and a later one is accepted when there is room`() async throws {
        let server = try HTTPTestServer(configure: { $0.connectionsPerClient = 2 }) { _, _ in
            .response(HTTPResponse(status: .ok))
        }
        let clients = try (0..<2).map { _ in try server.connect() }
        for client in clients {
            try client.send(HTTPRequestText.get("/"))
            #expect(try client.receiveResponse().status == 200)
        }
        let third = try server.connect()
        let refusal = try third.receiveResponse()
        #expect(refusal.status == 429)
        #expect(refusal.problemKind == "too-many-connections")
        #expect(refusal.fields.value(.retryAfter) == "1")
        #expect(refusal.fields.value(.connection) == "close")
        #expect(try third.receiveToEnd().isEmpty)
        clients[0].close()
        #expect(await eventually { server.connectionCount == 1 })
        let fourth = try server.connect()
        try fourth.send(HTTPRequestText.get("/"))
        #expect(try fourth.receiveResponse().status == 200)
        await server.shutdown()
    }
}

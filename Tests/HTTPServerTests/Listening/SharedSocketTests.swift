import HTTPModel
import HTTPServerTesting
import Synchronization
import Testing

@testable import HTTPServer

/// One listening socket that all loops share.
@Suite struct SharedSocketTests {
    private let folder: SocketFolder

    init() throws {
        folder = try SocketFolder()
    }

    /// Responds with the index of the loop.
    private func server(
        loops: Int, configure: (inout HTTPServerConfiguration) -> Void = { _ in },
        before: @escaping @Sendable (HTTPRequest) -> Void = { _ in }
    ) throws -> HTTPTestServer {
        let path = folder("a")
        return try HTTPTestServer(
            configure: { configuration in
                configuration.listeners = [HTTPListener(.unix(path: path))]
                configuration.loopCount = loops
                configure(&configuration)
            },
            respond: { request, loop in
                before(request)
                return .response(HTTPResponse(status: .ok, body: .bytes(Array("\(loop.index)".utf8))))
            })
    }

    @Test(arguments: [1, 2, 3, 5])
    func `every loop gets its share of the connections`(_ loops: Int) async throws {
        let server = try server(loops: loops)
        var counts = [Int](repeating: 0, count: loops)
        for _ in 0..<(10 * loops) {
            let client = try HTTPTestClient(unixSocket: folder("a"))
            try client.send(HTTPRequestText.get("/"))
            let index = try #require(Int(try client.receiveResponse().text))
            counts[index] += 1
        }
        // Two loops accept, and each of them distributes connections in turn.
        #expect(counts.allSatisfy { (8...12).contains($0) }, "\(counts)")
        await server.shutdown()
        #expect(server.connectionCount == 0)
    }

    @Test func `connections are accepted and answered while a loop is blocked`() async throws {
        let gate = Gate()
        let answered = Atomic(0)
        let server = try server(
            loops: 2,
            before: { request in
                if request.target == "/held" { gate.block() } else { answered.add(1, ordering: .relaxed) }
            })
        let busy = try HTTPTestClient(unixSocket: folder("a"))
        try busy.send(HTTPRequestText.get("/held"))
        gate.awaitBlocked()
        let clients = try (0..<6).map { _ in
            let client = try HTTPTestClient(unixSocket: folder("a"))
            try client.send(HTTPRequestText.get("/"))
            return client
        }
        // The other loop accepts all of them and keeps half. While one is not accepted yet, the loop that was blocked could accept it.
        #expect(await eventually { server.connectionCount == 7 && answered.load(ordering: .relaxed) == 3 })
        gate.open()
        let held = try busy.receiveResponse().text
        let indices = try clients.map { try $0.receiveResponse().text }
        #expect(indices.count { $0 == held } == 3)
        await server.shutdown()
    }

    @Test func `a PROXY header is read on the loop that gets the connection`() async throws {
        let server = try server(loops: 3) { $0.proxies = ["unix"].compactMap { AddressRange($0) } }
        let clients = try (0..<6).map { number in
            let client = try HTTPTestClient(unixSocket: folder("a"))
            try client.send("PROXY TCP4 192.0.2.\(number) 198.51.100.1 1 80\r\n" + HTTPRequestText.get("/"))
            return client
        }
        #expect(Set(try clients.map { try $0.receiveResponse().text }) == ["0", "1", "2"])
        await server.shutdown()
    }

    @Test func `a connection for a stopped loop is closed`() async throws {
        var loops: ServerLoops? = try await ServerLoops(
            count: 2, configure: { [folder] in $0.listeners = [HTTPListener(.unix(path: folder("a")))] }, isShared: true
        )
        await loops?.stop(1)
        let clients = try (0..<2).map { _ in try HTTPTestClient(unixSocket: folder("a")) }
        try clients[0].send(HTTPRequestText.get("/0"))
        // The first connection stays on this loop, the second one goes to the stopped loop.
        #expect(try clients[0].receiveResponse().text == "0")
        #expect(try clients[1].receiveToEnd().isEmpty)
        #expect(await eventually { loops?.gauge.connections == 1 })
        await loops?.stop(0)
        loops = nil
    }
}

import Foundation
import Glibc
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Synchronization
import Testing

@Suite struct HandingOverTests {
    private let folder: SocketFolder

    init() throws {
        folder = try SocketFolder()
    }

    private func server(
        _ name: String, _ listeners: [String], loops: Int = 2, _ inherited: InheritedSockets? = nil,
        respond: HTTPTestServer.Respond? = nil, configure: (inout HTTPServerConfiguration) -> Void = { _ in }
    ) throws -> HTTPTestServer {
        let listeners = try listeners.map { try HTTPListener($0) }
        return try HTTPTestServer(
            configure: { configuration in
                configuration.listeners = listeners
                configuration.loopCount = loops
                configuration.inherited = inherited
                configure(&configuration)
            },
            respond: respond ?? { request, _ in
                let text = "\(name) \(request.peer.role)"
                return .response(HTTPResponse(status: .ok, body: .bytes(Array(text.utf8))))
            })
    }

    private func answer(_ client: HTTPTestClient) throws -> String {
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        return try client.receiveResponse().text
    }

    @Test(arguments: [(2, 2), (1, 3), (3, 1)])
    func `a successor takes over the sockets with any number of loops`(_ before: Int, _ after: Int) async throws {
        let asked = ["http://127.0.0.1:0", "admin+http://127.0.0.1:0", "unix:\(folder("a"))"]
        let first = try server("first", asked, loops: before)
        let second = try server("second", asked, loops: after, try first.socketsToHandOver())
        #expect(second.listeners == first.listeners)
        await first.handOver()
        for (listener, role) in zip(second.listeners, ["public", "admin", "public"]) {
            for _ in 0..<8 { #expect(try answer(try second.connect(to: listener)) == "second \(role)") }
        }
        await second.shutdown()
        #expect(folder.names == [])
    }

    @Test func `connections that wait during the hand-over are answered by the successor`() async throws {
        let old = try server("old", ["http://127.0.0.1:0", "unix:\(folder("a"))"])
        let holds = try await hold(old)
        let inherited = try #require(try old.socketsToHandOver())
        // The drain begins immediately after each loop is blocked again, so nothing is accepted in between.
        old.beginHandingOver()
        #expect(old.connectionCount == 0)
        for hold in holds {
            hold.first.open()
            hold.second.awaitBlocked()
        }
        // Enough connections that some wait in the socket of each loop.
        let waiting = try old.listeners.flatMap { listener in try (0..<12).map { _ in try old.connect(to: listener) } }
        for client in waiting { try client.send(HTTPRequestText.get("/")) }
        for hold in holds { hold.second.open() }
        await old.handOver()
        let new = try server("new", ["http://127.0.0.1:0", "unix:\(folder("a"))"], inherited)
        for client in waiting {
            #expect(try client.receiveResponse().text == "new public")
            #expect(!client.wasReset)
        }
        await new.shutdown()
    }

    @Test func `an idle connection can send one more request before it is closed`() async throws {
        let old = try server("old", ["http://127.0.0.1:0"], configure: { $0.drainTimeout = .seconds(3600) })
        let clients = try (0..<4).map { _ in try old.connect(to: old.listeners[0]) }
        for client in clients { #expect(try answer(client) == "old public") }
        let new = try server("new", ["http://127.0.0.1:0"], try old.socketsToHandOver())
        old.beginHandingOver()
        // A loop responds as before until the drain reaches it. The count is read after the drain was started, and
        // later work on a loop runs after the drain on that loop.
        #expect(old.connectionCount <= 4)
        for index in [0, 1] { await old.onLoop(index) { _ in } }
        for client in clients {
            try client.send(HTTPRequestText.get("/"))
            let last = try client.receiveResponse()
            #expect(last.text == "old public")
            #expect(last.fields.value(.connection) == "close")
            #expect(try client.receiveToEnd().isEmpty)
            client.close()
        }
        await old.handOver()
        await new.shutdown()
    }

    /// Blocks both loops of a server, and each of them again immediately afterwards.
    private func hold(_ server: HTTPTestServer) async throws -> [(first: Gate, second: Gate)] {
        let holds = (0..<2).map { _ in (first: Gate(), second: Gate()) }
        for (index, hold) in holds.enumerated() {
            Task {
                await server.onLoop(index) { loop in
                    loop.execute { hold.second.block() }
                    hold.first.block()
                }
            }
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    hold.first.awaitBlocked()
                    continuation.resume()
                }
            }
        }
        return holds
    }

    @Test func `a listener that the successor does not configure is closed, and a new one is opened`() async throws {
        // An address that no other test uses, so that no other test gets its port afterwards.
        let first = try server("first", ["http://127.87.65.43:0", "unix:\(folder("a"))"])
        let gone = first.listeners
        let second = try server("second", ["unix:\(folder("b"))"], loops: 2, try first.socketsToHandOver())
        await first.handOver()
        #expect(folder.names == ["b"])
        for listener in gone { #expect(throws: HTTPTestError.self) { try second.connect(to: listener) } }
        #expect(try answer(try second.connect(to: second.listeners[0])) == "second public")
        await second.shutdown()
    }

    @Test func `a supervisor's sockets are served by their names and replace the configured listeners`() async throws {
        let opener = try server(
            "opener", ["http://127.0.0.1:0", "http://127.0.0.1:0", "unix:\(folder("a"))"], loops: 1)
        let open = try #require(try opener.socketsToHandOver()).sockets
        let names = ["granary.socket", "admin", "admin+http"]
        let handed = InheritedSockets(
            origin: .supervisor,
            sockets: zip(open, names).map { InheritedSockets.Socket(descriptor: $0.descriptor, name: $1) })
        await opener.handOver()
        let server = try server("server", ["http://127.0.0.1:0"], loops: 3, handed)
        #expect(server.listeners.map(\.role) == [.public, .admin, .admin])
        #expect(server.listeners.map(\.address) == opener.listeners.map(\.address))
        for listener in server.listeners {
            #expect(try answer(try server.connect(to: listener)) == "server \(listener.role)")
        }
        // A supervisor's sockets keep that origin for every successor.
        let copies = try #require(try server.socketsToHandOver())
        #expect(copies.origin == .supervisor)
        #expect(copies.sockets.map(\.name) == names)
        copies.close()
        await server.shutdown()
        // The file belongs to the supervisor.
        #expect(folder.names == ["a"])
    }

    @Test(arguments: ["admim+http", "connection", "htps"])
    func `a supervisor's socket with an unknown name is rejected`(_ name: String) async throws {
        let opener = try server("opener", ["http://127.0.0.1:0"], loops: 1)
        let open = try #require(try opener.socketsToHandOver()).sockets
        let handed = InheritedSockets(
            origin: .supervisor, sockets: open.map { InheritedSockets.Socket(descriptor: $0.descriptor, name: name) })
        let error = #expect(throws: HTTPServerError.self) { try server("server", [], loops: 1, handed) }
        #expect(error?.reason == .socketInvalid)
        #expect(error?.description.contains(name) == true)
        handed.close()
        await opener.shutdown()
    }

    @Test func `a descriptor that is not a listening socket is rejected`() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let handed = InheritedSockets(origin: .supervisor, sockets: [.init(descriptor: descriptor, name: "http")])
        let error = #expect(throws: HTTPServerError.self) { try server("server", [], loops: 1, handed) }
        #expect(error?.reason == .socketInvalid)
        handed.close()
    }

    @Test func `a stopped server has no sockets to hand over`() async throws {
        let server = try server("server", ["http://127.0.0.1:0"])
        await server.shutdown()
        #expect(try server.socketsToHandOver() == nil)
    }
}

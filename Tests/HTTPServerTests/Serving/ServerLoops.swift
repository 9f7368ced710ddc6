import HTTPModel
import HTTPServerTesting
import Log

@testable import HTTPServer

/// The loops of a server without the server. The test runs and stops each loop, and only the first one listens.
/// Requests for `/0…` and `/1…` are answered on the loop of that index, with its index.
///
/// Sendable because all properties are constant, and the server loops are accessed on their loops or after these ended.
final class ServerLoops: @unchecked Sendable {
    let serverLoops: [ServerLoop]
    let gauge: ConnectionGauge
    let port: UInt16
    /// The listeners of the first loop.
    private let listeners: [Listener]
    private let listening: ListenerSet

    init(
        count: Int = 1, accept: @escaping Listener.Accept = Listener.acceptFromKernel,
        configure: (inout HTTPServerConfiguration) -> Void = { _ in }, isShared: Bool = false
    ) async throws {
        var configuration = HTTPServerConfiguration(port: 0)
        configure(&configuration)
        let gauge = ConnectionGauge(loops: count, limit: 100) {}
        self.gauge = gauge
        let serverLoops = try (0..<count).map { index in
            ServerLoop(
                loop: try EpollEventLoop(index: index, count: count), configuration: configuration, gauge: gauge,
                log: .silent)
        }
        self.serverLoops = serverLoops
        let listening = try ListenerSet.open(configuration, count: 1)
        port = listening.listeners[0].address.port
        self.listening = listening
        listeners = try listening.sockets(forLoops: isShared ? count : 1)[0].map {
            Listener($0, serverLoop: serverLoops[0], accept: accept)
        }
        for serverLoop in serverLoops {
            await run(on: serverLoop.loop.index) { _ in
                serverLoop.siblings = serverLoops
                serverLoop.begin(IndexResponder(index: serverLoop.loop.index))
            }
        }
        try await run(on: 0) { loops in Result { for listener in loops.listeners { try listener.begin() } } }.get()
    }

    /// The ports of the first loop's listeners.
    var ports: [UInt16] { listening.listeners.map(\.address.port) }

    /// Makes every listener accept all waiting connections, like a draining server. Runs on the first loop.
    func acceptAll() {
        for listener in listeners { listener.acceptAll() }
    }

    func run<Value: Sendable>(on index: Int, _ work: @escaping @Sendable (ServerLoops) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            serverLoops[index].loop.execute { continuation.resume(returning: work(self)) }
        }
    }

    /// Stops one loop, like a server whose drain timeout has passed.
    func stop(_ index: Int) async {
        let serverLoop = serverLoops[index]
        await withCheckedContinuation { continuation in
            serverLoop.loop.execute {
                if index == 0 { for listener in self.listeners { listener.end() } }
                serverLoop.end()
            }
            serverLoop.loop.stop { continuation.resume() }
        }
        serverLoop.dismantle()
    }
}

private final class IndexResponder: HTTPResponder {
    private let index: Int

    init(index: Int) { self.index = index }

    func placement(of request: HTTPRequest) -> Int? { request.target.dropFirst().first?.wholeNumberValue }

    func respond(to request: HTTPRequest) -> HTTPAnswer {
        .response(HTTPResponse(status: .ok, body: .bytes(Array("\(index)".utf8))))
    }
}

import HTTPServerTesting
import Testing

@testable import HTTPServer

@Suite struct ServerLoopTests {
    @Test(arguments: [true, false])
    func `a connection that moves to a stopped loop is closed`(_ isFresh: Bool) async throws {
        var loops: ServerLoops? = try await ServerLoops(count: 2)
        let client = try HTTPTestClient(port: try #require(loops).port)
        if !isFresh {
            // From then on the connection does not move; it is lent for its requests to the other loop.
            try client.send(HTTPRequestText.get("/0"))
            #expect(try client.receiveResponse().text == "0")
        }
        await loops?.stop(1)
        try client.send(HTTPRequestText.get("/1"))
        #expect(await eventually { await loops?.run(on: 0) { $0.serverLoops[1].loop.hasQueuedTasks } == true })
        await loops?.stop(0)
        loops = nil
        #expect(try client.receiveToEnd().isEmpty)
    }
}

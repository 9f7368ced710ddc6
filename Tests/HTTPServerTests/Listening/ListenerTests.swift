import Glibc
import HTTPServerTesting
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct ListenerTests {
    @Test func `a server out of descriptors turns a client away at once and rests`() async throws {
        let calls = Atomic(0)
        let loops = try await ServerLoops(accept: { listener, peer in
            // The first finds no descriptor left; the second is made with the one that was kept in reserve.
            calls.wrappingAdd(1, ordering: .relaxed).oldValue == 0
                ? -EMFILE : Listener.acceptFromKernel(listener, &peer)
        })
        let first = try HTTPTestClient(port: loops.port)
        #expect(try first.receiveToEnd().isEmpty)
        #expect(calls.load(ordering: .relaxed) == 2)
        #expect(loops.gauge.connections == 0)
        let second = try HTTPTestClient(port: loops.port)
        try second.send(HTTPRequestText.get("/0"))
        #expect(try second.receiveResponse().text == "0")
        await loops.stop(0)
    }

    @Test(arguments: [ECONNABORTED, EPERM, EPROTO])
    func `a connection that went before it was accepted keeps none from being accepted`(_ error: Int32) async throws {
        let calls = Atomic(0)
        let loops = try await ServerLoops(accept: { listener, peer in
            calls.wrappingAdd(1, ordering: .relaxed).oldValue == 0 ? -error : Listener.acceptFromKernel(listener, &peer)
        })
        let client = try HTTPTestClient(port: loops.port)
        try client.send(HTTPRequestText.get("/0"))
        #expect(try client.receiveResponse().text == "0")
        await loops.stop(0)
    }
}

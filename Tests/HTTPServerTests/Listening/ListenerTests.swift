import Glibc
import HTTPServerTesting
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct ListenerTests {
    @Test func `a server out of descriptors closes a new connection immediately and pauses accepting`() async throws {
        let calls = Atomic(0)
        let loops = try await ServerLoops(accept: { listener, peer in
            // The first call fails because no descriptor is free; the second one uses the spare descriptor.
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

    @Test func `a server out of descriptors closes the connections of each listener and later accepts again`()
        async throws
    {
        let calls = Atomic(0)
        let isFull = Atomic(true)
        let loops = try await ServerLoops(
            accept: { listener, peer in
                guard isFull.load(ordering: .relaxed) else { return Listener.acceptFromKernel(listener, &peer) }
                // For each listener, one call fails because no descriptor is free, and one uses the spare descriptor.
                let isFirst = calls.wrappingAdd(1, ordering: .relaxed).oldValue % 2 == 0
                return isFirst ? -EMFILE : Listener.acceptFromKernel(listener, &peer)
            },
            configure: { configuration in
                configuration.listeners = (0..<3).map { _ in HTTPListener(.address(host: "127.0.0.1", port: 0)) }
            })
        for port in loops.ports {
            let turnedAway = try HTTPTestClient(port: port)
            #expect(try turnedAway.receiveToEnd().isEmpty)
        }
        #expect(calls.load(ordering: .relaxed) == 6)
        isFull.store(false, ordering: .relaxed)
        for port in loops.ports {
            let client = try HTTPTestClient(port: port)
            try client.send(HTTPRequestText.get("/0"))
            #expect(try client.receiveResponse().text == "0")
        }
        await loops.stop(0)
    }

    @Test func `a paused listener can be asked to accept waiting connections`() async throws {
        let calls = Atomic(0)
        let loops = try await ServerLoops(accept: { _, _ in
            calls.wrappingAdd(1, ordering: .relaxed)
            return -EMFILE
        })
        // Twice, because the listener is paused after the first time.
        let before = await loops.run(on: 0) { loops in
            defer { for _ in 0..<2 { loops.acceptAll() } }
            return calls.load(ordering: .relaxed)
        }
        // The call that fails, and the one with the spare descriptor.
        #expect(calls.load(ordering: .relaxed) == before + 4)
        await loops.stop(0)
    }

    @Test(arguments: [ECONNABORTED, EPERM, EPROTO])
    func `a connection that was aborted while it waited does not block others`(_ error: Int32) async throws {
        let calls = Atomic(0)
        let loops = try await ServerLoops(accept: { listener, peer in
            calls.wrappingAdd(1, ordering: .relaxed).oldValue == 0 ? -error : Listener.acceptFromKernel(listener, &peer)
        })
        let client = try HTTPTestClient(port: loops.port)
        try client.send(HTTPRequestText.get("/0"))
        #expect(try client.receiveResponse().text == "0")
        await loops.stop(0)
    }

    @Test func `a peer that vanishes silently is disconnected within the write timeout`() async throws {
        let matching = Atomic(0)
        let different = Atomic(0)
        let loops = try await ServerLoops(
            accept: { listener, peer in
                let accepted = Listener.acceptFromKernel(listener, &peer)
                guard accepted >= 0 else { return accepted }
                let tcp = Int32(IPPROTO_TCP)
                let values = [
                    option(of: accepted, SOL_SOCKET, SO_KEEPALIVE), option(of: accepted, tcp, TCP_KEEPIDLE),
                    option(of: accepted, tcp, TCP_KEEPINTVL), option(of: accepted, tcp, TCP_KEEPCNT),
                    option(of: accepted, tcp, TCP_USER_TIMEOUT), option(of: accepted, tcp, TCP_NODELAY),
                ]
                // The kernel sends the first probe after 15 s, and gives up after two more intervals of 15 s.
                let isExpected = values == [1, 15, 15, 2, 45_000, 1]
                if isExpected { matching.add(1, ordering: .relaxed) } else { different.add(1, ordering: .relaxed) }
                return accepted
            }, configure: { $0.writeTimeout = .seconds(45) })
        let client = try HTTPTestClient(port: loops.port)
        try client.send(HTTPRequestText.get("/0"))
        #expect(try client.receiveResponse().text == "0")
        #expect(matching.load(ordering: .relaxed) == 1)
        #expect(different.load(ordering: .relaxed) == 0)
        await loops.stop(0)
    }
}

private func option(of descriptor: Int32, _ level: Int32, _ name: Int32) -> Int32 {
    var value: Int32 = -1
    var length = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, level, name, &value, &length)
    return value
}
